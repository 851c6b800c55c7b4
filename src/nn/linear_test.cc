#include "nn/linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "nn/cpu.h"
#include "nn/ops.h"
#include "nn/packed_matrix.h"
#include "nn/random.h"
#include "nn/threads.h"

namespace timbre::nn {
namespace {

Weight RandomWeight(Random& random, std::vector<std::int64_t> shape) {
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) size *= dim;
  Weight weight{std::move(shape), std::vector<float>(static_cast<std::size_t>(size))};
  random.FillNormal(weight.values);
  return weight;
}

Tensor RandomTensor(Random& random, std::int64_t rows, std::int64_t cols) {
  Tensor x(rows, cols);
  random.FillNormal({x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

Tensor Naive(const Tensor& x, const Weight& w, const Weight& bias) {
  Tensor y(x.rows(), w.dim(0));
  for (std::int64_t r = 0; r < y.rows(); ++r) {
    for (std::int64_t o = 0; o < y.cols(); ++o) {
      double sum = bias.values.empty() ? 0.0 : bias.values[static_cast<std::size_t>(o)];
      for (std::int64_t i = 0; i < x.cols(); ++i) {
        sum += double{x.at(r, i)} * w.values[static_cast<std::size_t>(o * x.cols() + i)];
      }
      y.at(r, o) = static_cast<float>(sum);
    }
  }
  return y;
}

// Largest difference, relative to the largest magnitude of `expected`.
float Difference(const Tensor& actual, const Tensor& expected) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) return 1.0f;
  float most = 0.0f, size = 1e-20f;
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    most = std::max(most, std::abs(actual.data()[i] - expected.data()[i]));
    size = std::max(size, std::abs(expected.data()[i]));
  }
  return most / size;
}

// Both ways of computing many rows, whatever this CPU prefers.
class LinearWays : public ::testing::TestWithParam<bool> {
 protected:
  LinearWays() {
    if (GetParam()) onednn_.emplace();
  }
  std::optional<OneDnnForAll> onednn_;
};
INSTANTIATE_TEST_SUITE_P(All, LinearWays, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "OneDnn" : "Preferred"; });

TEST_P(LinearWays, MatchesTheDefinitionForFewAndManyRows) {
  Random random(1);
  const std::int64_t shapes[][2] = {{1, 1}, {7, 5}, {40, 33}, {113, 512}, {256, 80}, {130, 1}};
  for (const auto& [in, out] : shapes) {
    const Weight weight = RandomWeight(random, {out, in});
    const Weight bias = random.Bernoulli(0.7f) ? RandomWeight(random, {out}) : Weight{};
    const Linear linear(weight, bias);
    for (const std::int64_t rows : {0, 1, 2, 3, 4, 7, 8, 9, 33, 70}) {
      SCOPED_TRACE(::testing::Message() << in << "->" << out << " rows " << rows);
      const Tensor x = RandomTensor(random, rows, in);
      EXPECT_LT(Difference(linear(x), Naive(x, weight, bias)), 1e-5f);
    }
    const Tensor x = RandomTensor(random, 1, in);
    Tensor y(1, out);
    linear.Step(x.row(0), y.row(0));
    EXPECT_LT(Difference(y, Naive(x, weight, bias)), 1e-5f);
  }
}

TEST_P(LinearWays, LongInputsGoInBlocks) {
  Random random(2);
  const Weight weight = RandomWeight(random, {4, 3});
  const Tensor x = RandomTensor(random, 2500, 3);
  EXPECT_LT(Difference(Linear(weight)(x), Naive(x, weight, {})), 1e-5f);
}

TEST_P(LinearWays, AppliesItsActivation) {
  Random random(3);
  const Weight weight = RandomWeight(random, {20, 10});
  for (const Activation activation :
       {Activation::kRelu, Activation::kLeakyRelu, Activation::kTanh, Activation::kSigmoid}) {
    const Linear linear(weight, {}, {.activation = activation, .slope = 0.2f});
    for (const std::int64_t rows : {2, 20}) {
      const Tensor x = RandomTensor(random, rows, 10);
      Tensor expected = Naive(x, weight, {});
      Activate(activation, expected, 0.2f);
      EXPECT_LT(Difference(linear(x), expected), 1e-5f);
    }
  }
}

TEST_P(LinearWays, NarrowPrecisionsAreClose) {
  Random random(4);
  const Weight weight = RandomWeight(random, {64, 256});
  for (const std::int64_t rows : {1, 5, 40}) {
    const Tensor x = RandomTensor(random, rows, 256);
    const Tensor expected = Naive(x, weight, {});
    const auto difference = [&](LinearOptions options) {
      return Difference(Linear(weight, {}, options)(x), expected);
    };
    EXPECT_LT(difference({.precision = Precision::kBf16}), 1e-2f);
    EXPECT_GT(difference({.precision = Precision::kBf16}), 1e-5f);
    EXPECT_LT(difference({.precision = Precision::kInt8}), 3e-2f);
    EXPECT_LT(difference({.precision = Precision::kInt8, .input_range = 5.0f}), 3e-2f);
  }
}

TEST_P(LinearWays, OneLayerServesThreadsAtOnceAndABudgetOfTwo) {
  Random random(5);
  const Weight weight = RandomWeight(random, {1024, 1024});
  const Linear linear(weight);
  const Tensor few = RandomTensor(random, 2, 1024), many = RandomTensor(random, 24, 1024);
  const Tensor expected_few = Naive(few, weight, {}), expected_many = Naive(many, weight, {});
  std::vector<std::thread> threads;
  std::vector<float> worst(3, 0.0f);
  for (std::size_t t = 0; t < worst.size(); ++t) {
    threads.emplace_back([&, t] {
      const ThreadBudget budget(t == 0 ? 2 : 1);
      worst[t] =
          std::max(Difference(linear(few), expected_few), Difference(linear(many), expected_many));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const float difference : worst) EXPECT_LT(difference, 1e-5f);
}

// Every kernel that this CPU can run, not just the one it chooses.
TEST(PackedMatrix, KernelsOfAllLevelsAgree) {
  Random random(6);
  std::vector<PackedMatrix::Kernel (*)(Precision)> levels = {BaseKernel};
  if (Cpu().level != CpuLevel::kBase) levels.push_back(Avx2Kernel);
  if (Cpu().level == CpuLevel::kAvx512) levels.push_back(Avx512Kernel);
  alignas(64) std::int8_t panel[4 * PackedMatrix::kPanel * 37];
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    for (const std::int64_t in : {1, 3, 8, 37}) {
      const std::int64_t count = in * PackedMatrix::kPanel;
      for (std::int64_t i = 0; i < count; ++i) {
        const float value = random.Normal();
        if (precision == Precision::kF32) reinterpret_cast<float*>(panel)[i] = value;
        if (precision == Precision::kBf16) {
          reinterpret_cast<std::uint16_t*>(panel)[i] =
              static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
        }
        if (precision == Precision::kInt8) panel[i] = static_cast<std::int8_t>(random.Next());
      }
      const Tensor x = RandomTensor(random, PackedMatrix::kMaxRows, in);
      for (int rows = 1; rows <= PackedMatrix::kMaxRows; ++rows) {
        Tensor expected(rows, PackedMatrix::kPanel), sums(rows, PackedMatrix::kPanel);
        const MatrixRows from{.x = x.data(), .width = in, .row_stride = in};
        BaseKernel(precision)(panel, from, rows, expected.data());
        for (const auto level : levels) {
          level(precision)(panel, from, rows, sums.data());
          EXPECT_LT(Difference(sums, expected), 1e-5f) << PrecisionName(precision) << in << rows;
        }
      }
    }
  }
}

TEST(PackedMatrix, UnpacksWhatItStores) {
  Random random(7);
  const Weight weight = RandomWeight(random, {21, 9});
  EXPECT_EQ(PackedMatrix(weight.values.data(), 21, 9, Precision::kF32).Unpack(), weight.values);
  for (const Precision precision : {Precision::kBf16, Precision::kInt8}) {
    const std::vector<float> stored = PackedMatrix(weight.values.data(), 21, 9, precision).Unpack();
    const std::vector<float> again = PackedMatrix(stored.data(), 21, 9, precision).Unpack();
    for (std::size_t i = 0; i < stored.size(); ++i) {
      EXPECT_NEAR(stored[i], weight.values[i], 0.02f);
      EXPECT_NEAR(again[i], stored[i], 1e-6f);  // rounding twice is rounding once
    }
  }
}

}  // namespace
}  // namespace timbre::nn
