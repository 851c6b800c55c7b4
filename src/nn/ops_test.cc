#include "nn/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "nn/conv1d.h"
#include "nn/linear.h"
#include "nn/random.h"

namespace timbre::nn {
namespace {

Tensor Make(std::int64_t rows, std::int64_t cols, const std::vector<float>& values) {
  Tensor x(rows, cols);
  std::ranges::copy(values, x.data());
  return x;
}

std::vector<float> Values(const Tensor& x) { return {x.data(), x.data() + x.size()}; }

TEST(Ops, ActivationsAreAccurateOverTheirRange) {
  std::vector<float> x;
  for (float value = -100.0f; value <= 100.0f; value += 0.037f) x.push_back(value);
  x.insert(x.end(), {0.0f, 1e-4f, -1e-4f, 1e4f, -1e4f});
  std::vector<float> tanh = x, sigmoid = x, leaky = x;
  Activate(Activation::kTanh, tanh);
  Activate(Activation::kSigmoid, sigmoid);
  Activate(Activation::kLeakyRelu, leaky, 0.1f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(tanh[i], std::tanh(x[i]), 3e-7f);
    EXPECT_NEAR(sigmoid[i], 1.0 / (1.0 + std::exp(-double{x[i]})), 3e-7);
    EXPECT_EQ(leaky[i], x[i] > 0 ? x[i] : 0.1f * x[i]);
  }
}

TEST(Ops, SoftmaxSumsToOneAndLeavesMaskedEntriesAtZero) {
  std::vector<float> x = {1000.0f, 999.0f, -std::numeric_limits<float>::infinity()};
  Softmax(x);
  EXPECT_NEAR(x[0], 0.7310586f, 1e-6f);
  EXPECT_NEAR(x[1], 0.2689414f, 1e-6f);
  EXPECT_EQ(x[2], 0.0f);
}

TEST(Ops, LayerNorm) {
  Tensor x = Make(2, 2, {1, 3, 10, 10});
  const float gamma[] = {2, 1}, beta[] = {0.5f, 0};
  LayerNorm(x, gamma, beta, 0.0001f, x);
  EXPECT_NEAR(x.at(0, 0), -1.5f, 1e-3f);
  EXPECT_NEAR(x.at(0, 1), 1.0f, 1e-3f);
  EXPECT_NEAR(x.at(1, 0), 0.5f, 1e-6f);
}

TEST(Ops, FoldedBatchNormEqualsBatchNormAfterTheConvolution) {
  Random random(1);
  const auto normal = [&](std::vector<std::int64_t> shape, std::size_t size) {
    Weight weight{std::move(shape), std::vector<float>(size)};
    random.FillNormal(weight.values);
    return weight;
  };
  BatchNorm norm{normal({6}, 6), normal({6}, 6), normal({6}, 6), normal({6}, 6)};
  for (float& variance : norm.running_var.values) variance = 0.1f + std::abs(variance);
  const Weight weight = normal({6, 4, 3}, 72);
  Tensor x(20, 4);
  random.FillNormal({x.data(), 80});
  for (const Weight& bias : {normal({6}, 6), Weight{}}) {
    Tensor expected = Conv1d(weight, bias)(x);
    ScaleShift(norm).Apply(expected);
    Weight folded = weight, folded_bias = bias;
    FoldBatchNorm(norm, folded, folded_bias);
    const Tensor y = Conv1d(folded, folded_bias)(x);
    for (std::int64_t i = 0; i < y.size(); ++i) {
      EXPECT_NEAR(y.data()[i], expected.data()[i], 1e-4f);
    }
  }
}

TEST(Ops, RowsAndColumns) {
  const Tensor x = Make(3, 2, {1, -2, 0, 5, 7, 1});
  Tensor y;
  MaxPoolPairs(x, y);
  EXPECT_EQ(Values(y), (std::vector<float>{1, -2, 1, 5, 7, 5}));
  RepeatRows(x, 2, y);
  EXPECT_EQ(Values(y), (std::vector<float>{1, -2, 1, -2, 0, 5, 0, 5, 7, 1, 7, 1}));
  const Tensor one = Make(3, 1, {8, 9, 10});
  ConcatColumns({&one, &x}, y);
  EXPECT_EQ(Values(y), (std::vector<float>{8, 1, -2, 9, 0, 5, 10, 7, 1}));
  const Weight table{{3, 2}, {0, 1, 2, 3, 4, 5}};
  const std::int32_t ids[] = {2, 0};
  Embed(table, ids, y);
  EXPECT_EQ(Values(y), (std::vector<float>{4, 5, 0, 1}));
}

TEST(Ops, Vectors) {
  std::vector<float> a(19), b(19);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i) - 10.0f;
    b[i] = 2.0f;
  }
  EXPECT_FLOAT_EQ(Dot(a, b), -38.0f);
  EXPECT_FLOAT_EQ(MaxAbs(a), 10.0f);
  EXPECT_FLOAT_EQ(MaxAbs({}), 0.0f);
  Axpy(0.5f, a, b);
  EXPECT_FLOAT_EQ(b[0], -3.0f);
  Multiply(a, b);
  EXPECT_FLOAT_EQ(b[0], 30.0f);
}

}  // namespace
}  // namespace timbre::nn
