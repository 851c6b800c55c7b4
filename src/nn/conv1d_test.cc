#include "nn/conv1d.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "nn/conv_transpose1d.h"
#include "nn/cpu.h"
#include "nn/ops.h"
#include "nn/random.h"
#include "nn/stream.h"

namespace timbre::nn {
namespace {

Weight RandomWeight(Random& random, std::vector<std::int64_t> shape, float scale) {
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) size *= dim;
  Weight weight{std::move(shape), std::vector<float>(static_cast<std::size_t>(size))};
  random.FillNormal(weight.values);
  Scale(scale, weight.values);
  return weight;
}

Tensor RandomTensor(Random& random, std::int64_t rows, std::int64_t cols) {
  Tensor x(rows, cols);
  random.FillNormal({x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

float Apply(Activation activation, float slope, float x) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return std::max(x, 0.0f);
    case Activation::kLeakyRelu:
      return x > 0 ? x : slope * x;
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return 1.0f / (1.0f + std::exp(-x));
  }
  return x;
}

Tensor NaiveConv(const Tensor& x, const Weight& w, const Weight& bias, const Conv1dOptions& o) {
  const std::int64_t out = w.dim(0), in = w.dim(1), k = w.dim(2), span = (k - 1) * o.dilation;
  const std::int64_t left = o.padding_left < 0 ? span / 2 : o.padding_left;
  const std::int64_t right = o.padding_right < 0 ? span - left : o.padding_right;
  Tensor y(std::max<std::int64_t>(0, x.rows() + left + right - span), out);
  for (std::int64_t t = 0; t < y.rows(); ++t) {
    for (std::int64_t c = 0; c < out; ++c) {
      const std::int64_t group = c / (out / o.groups);
      double sum = bias.values.empty() ? 0.0 : bias.values[static_cast<std::size_t>(c)];
      for (std::int64_t j = 0; j < k; ++j) {
        const std::int64_t row = t - left + j * o.dilation;
        if (row < 0 || row >= x.rows()) continue;
        for (std::int64_t i = 0; i < in; ++i) {
          sum += double{w.values[static_cast<std::size_t>((c * in + i) * k + j)]} *
                 Apply(o.input_activation, o.input_slope, x.at(row, group * in + i));
        }
      }
      y.at(t, c) = Apply(o.activation, o.slope, static_cast<float>(sum));
    }
  }
  return y;
}

Tensor NaiveTranspose(const Tensor& x, const Weight& w, const Weight& bias,
                      const ConvTranspose1dOptions& o) {
  const std::int64_t in = w.dim(0), out = w.dim(1), k = w.dim(2);
  const std::int64_t rows = (x.rows() - 1) * o.stride - 2 * o.padding + k + o.output_padding;
  Tensor y(std::max<std::int64_t>(0, rows), out);
  for (std::int64_t t = 0; t < y.rows(); ++t) {
    for (std::int64_t c = 0; c < out; ++c) {
      double sum = bias.values.empty() ? 0.0 : bias.values[static_cast<std::size_t>(c)];
      for (std::int64_t j = 0; j < k; ++j) {
        const std::int64_t at = t + o.padding - j;
        if (at < 0 || at % o.stride != 0 || at / o.stride >= x.rows()) continue;
        for (std::int64_t i = 0; i < in; ++i) {
          sum += double{w.values[static_cast<std::size_t>((i * out + c) * k + j)]} *
                 Apply(o.input_activation, o.input_slope, x.at(at / o.stride, i));
        }
      }
      y.at(t, c) = static_cast<float>(sum);
    }
  }
  return y;
}

// Largest difference, relative to the largest magnitude of `expected`; 1 when shapes differ.
float Difference(const Tensor& actual, const Tensor& expected) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) return 1.0f;
  float most = 0.0f, size = 1e-20f;
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    most = std::max(most, std::abs(actual.data()[i] - expected.data()[i]));
    size = std::max(size, std::abs(expected.data()[i]));
  }
  return most / size;
}

// Pushes x in random pieces, empty ones and a last one of any size too.
template <typename Layer>
Tensor Streamed(const Layer& layer, const Tensor& x, Random& random) {
  typename Layer::State state;
  Tensor all(0, layer.outputs()), piece;
  std::int64_t at = 0;
  bool last = false;
  while (!last) {
    const std::int64_t most = random.Bernoulli(0.3f) ? 2 : 40;
    const std::int64_t count = std::min<std::int64_t>(random.Next() % (most + 1), x.rows() - at);
    last = at + count == x.rows() && random.Bernoulli(0.5f);
    layer.Push(state, x.Rows(at, at + count), last, piece);
    all.AppendRows(piece);
    at += count;
  }
  return all;
}

struct Case {
  std::int64_t in, out, kernel, rows;
  Conv1dOptions options;
};

std::vector<Case> Cases() {
  const auto leaky = Activation::kLeakyRelu;
  return {
      {80, 64, 7, 30, {}},
      {32, 32, 3, 100, {.dilation = 5, .input_activation = leaky, .activation = leaky}},
      {32, 32, 11, 77, {.dilation = 3}},
      {64, 64, 7, 56, {.dilation = 12, .input_activation = leaky}},
      {16, 24, 4, 33, {}},
      {16, 24, 2, 9, {.padding_left = 1, .padding_right = 1}},
      {12, 20, 6, 50, {.padding_left = 5, .padding_right = 0}},
      {8, 8, 3, 1, {.dilation = 2}},
      {32,
       1,
       7,
       200,
       {.input_activation = leaky, .input_slope = 0.01f, .activation = Activation::kTanh}},
      {1, 1, 11, 64, {}},
      {1, 32, 31, 40, {}},
      {2, 32, 31, 40, {}},
      {128, 128, 1, 21, {.activation = Activation::kSigmoid}},
      {16, 32, 5, 40, {.groups = 4, .activation = Activation::kRelu}},
      {24, 24, 3, 40, {.groups = 24}},
      {80, 33, 5, 40, {.padding_left = 0, .padding_right = 0}},
      {16, 16, 5, 3, {.padding_left = 0, .padding_right = 0}},
      {8, 8, 3, 20, {.padding_left = 6, .padding_right = 4}},
      {8, 16, 3, 5000, {}},
  };
}

// Both ways of computing, whatever this CPU prefers.
class ConvWays : public ::testing::TestWithParam<bool> {
 protected:
  ConvWays() {
    if (GetParam()) onednn_.emplace();
  }
  std::optional<OneDnnForAll> onednn_;
};
INSTANTIATE_TEST_SUITE_P(All, ConvWays, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "OneDnn" : "Preferred"; });

TEST_P(ConvWays, MatchesTheDefinitionWholeAndStreamed) {
  Random random(7);
  for (const Case& c : Cases()) {
    SCOPED_TRACE(::testing::Message() << c.in << "->" << c.out << " k" << c.kernel << " d"
                                      << c.options.dilation << " rows " << c.rows);
    const std::int64_t in = c.in / c.options.groups;
    const float scale = 1.0f / std::sqrt(static_cast<float>(in * c.kernel));
    const Weight weight = RandomWeight(random, {c.out, in, c.kernel}, scale);
    const Weight bias = random.Bernoulli(0.7f) ? RandomWeight(random, {c.out}, 0.3f) : Weight{};
    const Conv1d conv(weight, bias, c.options);
    const Tensor x = RandomTensor(random, c.rows, c.in);
    const Tensor expected = NaiveConv(x, weight, bias, c.options);
    EXPECT_EQ(conv.OutputRows(c.rows), expected.rows());
    EXPECT_LT(Difference(conv(x), expected), 1e-5f);
    EXPECT_LT(Difference(Streamed(conv, x, random), expected), 1e-5f);
  }
}

TEST(Conv1d, EmitsEachRowAsSoonAsItsInputsAreThere) {
  Random random(1);
  const Conv1d conv(RandomWeight(random, {4, 4, 5}, 1.0f), {}, {.dilation = 2});
  EXPECT_EQ(conv.lookahead(), 4);
  Conv1d::State state;
  Tensor y;
  std::int64_t out = 0;
  for (int in = 1; in <= 20; ++in) {
    const std::int64_t announced = conv.PushRows(state, 1, false);
    conv.Push(state, RandomTensor(random, 1, 4), false, y);
    EXPECT_EQ(y.rows(), announced);
    out += y.rows();
    EXPECT_EQ(out, std::max(0, in - 4));
  }
  conv.Push(state, Tensor(), true, y);
  EXPECT_EQ(y.rows(), 4);
}

TEST_P(ConvWays, AccumulateAddsToTheOutput) {
  Random random(2);
  const Weight weight = RandomWeight(random, {32, 32, 3}, 0.1f);
  const Weight bias = RandomWeight(random, {32}, 0.1f);
  for (const Activation activation : {Activation::kNone, Activation::kRelu, Activation::kTanh}) {
    const Conv1d conv(weight, bias, {.activation = activation, .accumulate = true});
    const Tensor x = RandomTensor(random, 100, 32);
    Tensor y = x, expected = NaiveConv(x, weight, bias, {.activation = activation});
    Add(x, expected);
    conv.Forward(x, y);
    EXPECT_LT(Difference(y, expected), 1e-5f);
  }
}

TEST_P(ConvWays, TransposeMatchesTheDefinitionWholeAndStreamed) {
  struct TransposeCase {
    std::int64_t in, out, kernel, rows;
    ConvTranspose1dOptions options;
  };
  const auto leaky = Activation::kLeakyRelu;
  const TransposeCase cases[] = {
      {64, 32, 16, 20, {.stride = 8, .padding = 4, .input_activation = leaky}},
      {32, 16, 4, 100, {.stride = 2, .padding = 1}},
      {32, 16, 10, 17, {.stride = 5, .padding = 3, .output_padding = 1}},
      {32, 16, 8, 17, {.stride = 4, .padding = 2}},
      {16, 8, 11, 9, {.stride = 5, .padding = 3}},
      {16, 8, 3, 9, {.stride = 1, .padding = 1}},
      {16, 8, 3, 9, {.stride = 4}},
      {16, 8, 4, 9, {.stride = 4, .padding = 1}},
      {16, 8, 4, 9, {.stride = 4, .padding = 1, .output_padding = 3}},
      {16, 8, 16, 1, {.stride = 8, .padding = 4}},
      {16, 8, 16, 1, {.stride = 8, .padding = 8}},
  };
  Random random(3);
  for (const TransposeCase& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.in << "->" << c.out << " k" << c.kernel << " s"
                                      << c.options.stride << " p" << c.options.padding);
    const Weight weight = RandomWeight(random, {c.in, c.out, c.kernel}, 0.1f);
    const Weight bias = RandomWeight(random, {c.out}, 0.3f);
    const ConvTranspose1d layer(weight, bias, c.options);
    const Tensor x = RandomTensor(random, c.rows, c.in);
    const Tensor expected = NaiveTranspose(x, weight, bias, c.options);
    EXPECT_EQ(layer.OutputRows(c.rows), expected.rows());
    EXPECT_LT(Difference(layer(x), expected), 1e-5f);
    EXPECT_LT(Difference(Streamed(layer, x, random), expected), 1e-5f);
  }
}

// x + f(x) and the mean of blocks with different delays, chunk by chunk.
TEST(Stream, ResidualBlocksOfDifferentDelaysAlign) {
  Random random(4);
  const Weight w1 = RandomWeight(random, {8, 8, 3}, 0.2f),
               w2 = RandomWeight(random, {8, 8, 7}, 0.1f);
  const Conv1d narrow(w1, {}, {.accumulate = true}),
      wide(w2, {}, {.dilation = 3, .accumulate = true});
  const Tensor x = RandomTensor(random, 150, 8);
  Tensor expected = x, other = x;
  narrow.Forward(x, expected);
  wide.Forward(x, other);
  Add(other, expected);
  Scale(0.5f, {expected.data(), static_cast<std::size_t>(expected.size())});

  Conv1d::State narrow_state, wide_state;
  RowQueue narrow_delay, wide_delay;
  StreamSum mean(2);
  Tensor all(0, 8), y;
  for (std::int64_t at = 0; at < 150;) {
    const std::int64_t count = std::min<std::int64_t>(1 + random.Next() % 20, 150 - at);
    const Tensor piece = x.Rows(at, at + count);
    at += count;
    const bool last = at == 150;
    narrow_delay.Append(piece);
    narrow_delay.Take(narrow.PushRows(narrow_state, count, last), y);
    narrow.Push(narrow_state, piece, last, y);
    mean.Push(0, y);
    wide_delay.Append(piece);
    wide_delay.Take(wide.PushRows(wide_state, count, last), y);
    wide.Push(wide_state, piece, last, y);
    mean.Push(1, y);
    mean.Take(0.5f, y);
    all.AppendRows(y);
  }
  EXPECT_LT(Difference(all, expected), 1e-5f);
}

TEST_P(ConvWays, OneLayerServesThreadsAtOnce) {
  Random random(5);
  const Conv1d conv(RandomWeight(random, {32, 32, 5}, 0.1f), {}, {});
  std::vector<Tensor> inputs, expected;
  for (std::int64_t i = 0; i < 40; ++i) {
    inputs.push_back(RandomTensor(random, 5 + 7 * i, 32));
    expected.push_back(conv(inputs.back()));
  }
  std::vector<std::thread> threads;
  std::vector<float> worst(3, 0.0f);
  for (std::size_t t = 0; t < worst.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t at = (i * (t + 1)) % inputs.size();
        worst[t] = std::max(worst[t], Difference(conv(inputs[at]), expected[at]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const float difference : worst) EXPECT_LT(difference, 1e-6f);
}

TEST_P(ConvWays, NarrowPrecisionsAreCloseAndRounded) {
  Random random(6);
  const Weight weight = RandomWeight(random, {64, 64, 7}, 0.05f);
  const Tensor x = RandomTensor(random, 100, 64);
  const Tensor expected = NaiveConv(x, weight, {}, {});
  const auto difference = [&](Conv1dOptions options) {
    return Difference(Conv1d(weight, {}, options)(x), expected);
  };
  EXPECT_LT(difference({.precision = Precision::kBf16}), 1e-2f);
  EXPECT_GT(difference({.precision = Precision::kBf16}), 1e-4f);
  EXPECT_LT(difference({.precision = Precision::kInt8}), 3e-2f);
  EXPECT_LT(difference({.precision = Precision::kInt8, .input_range = 5.0f}), 3e-2f);
  EXPECT_GT(difference({.precision = Precision::kInt8, .input_range = 0.5f}), 0.1f);  // clips
}

TEST_P(ConvWays, SteadyStreamsKeepTheirMemory) {
  Random random(10);
  const Conv1d conv(RandomWeight(random, {16, 16, 7}, 0.1f), {}, {.dilation = 3});
  const Tensor x = RandomTensor(random, 56, 16);
  Conv1d::State state;
  Tensor y;
  for (int chunk = 0; chunk < 3; ++chunk) conv.Push(state, x, false, y);
  const float* const memory = y.data();
  for (int chunk = 0; chunk < 50; ++chunk) {
    conv.Push(state, x, false, y);
    ASSERT_EQ(y.rows(), 56);
    ASSERT_EQ(y.data(), memory);
  }
}

// Our own kernels sum every row in the same order.
TEST(Conv1d, StreamedEqualsWholeToTheBitOnOurKernels) {
  if (!OwnKernelsForAll()) GTEST_SKIP() << "this CPU computes convolutions by oneDNN";
  Random random(9);
  const Conv1d conv(RandomWeight(random, {20, 24, 7}, 0.1f), RandomWeight(random, {20}, 0.1f),
                    {.dilation = 3});
  const Tensor x = RandomTensor(random, 333, 24);
  EXPECT_EQ(Difference(Streamed(conv, x, random), conv(x)), 0.0f);
}

TEST_P(ConvWays, StreamedEqualsWholeWithKnownRangesInInt8) {
  Random random(8);
  const Conv1d conv(RandomWeight(random, {16, 16, 5}, 0.1f), {},
                    {.precision = Precision::kInt8, .input_range = 4.0f});
  const Tensor x = RandomTensor(random, 200, 16);
  EXPECT_LT(Difference(Streamed(conv, x, random), conv(x)), 1e-5f);
}

}  // namespace
}  // namespace timbre::nn
