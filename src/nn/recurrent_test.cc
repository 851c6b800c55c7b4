#include "nn/recurrent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "nn/ops.h"
#include "nn/random.h"

namespace timbre::nn {
namespace {

Weight RandomWeight(Random& random, std::vector<std::int64_t> shape) {
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) size *= dim;
  Weight weight{std::move(shape), std::vector<float>(static_cast<std::size_t>(size))};
  random.FillNormal(weight.values);
  Scale(0.3f, weight.values);
  return weight;
}

Tensor RandomTensor(Random& random, std::int64_t rows, std::int64_t cols) {
  Tensor x(rows, cols);
  random.FillNormal({x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

double Sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

struct Weights {
  Weight ih, hh, bias_ih, bias_hh;

  Weights(Random& random, std::int64_t gates, std::int64_t in, std::int64_t hidden)
      : ih(RandomWeight(random, {gates * hidden, in})),
        hh(RandomWeight(random, {gates * hidden, hidden})),
        bias_ih(RandomWeight(random, {gates * hidden})),
        bias_hh(RandomWeight(random, {gates * hidden})) {}

  static double Sum(const Weight& w, const Weight& bias, std::int64_t gate, const double* x) {
    double sum = bias.values[static_cast<std::size_t>(gate)];
    for (std::int64_t i = 0; i < w.dim(1); ++i) {
      sum += w.values[static_cast<std::size_t>(gate * w.dim(1) + i)] * x[i];
    }
    return sum;
  }
  double FromInput(std::int64_t gate, const std::vector<double>& x) const {
    return Sum(ih, bias_ih, gate, x.data());
  }
  double FromHidden(std::int64_t gate, const std::vector<double>& h) const {
    return Sum(hh, bias_hh, gate, h.data());
  }
};

std::vector<double> Row(const Tensor& x, std::int64_t row) {
  return {x.row(row).begin(), x.row(row).end()};
}

// One sequence of PyTorch's nn.LSTM from zeros, by its documentation.
Tensor NaiveLstm(const Weights& w, const Tensor& x, std::int64_t hidden, bool reverse) {
  std::vector<double> h(static_cast<std::size_t>(hidden), 0.0), c = h;
  Tensor y(x.rows(), hidden);
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const std::int64_t t = reverse ? x.rows() - 1 - i : i;
    const std::vector<double> input = Row(x, t), before = h;
    const auto gate = [&](std::int64_t which, std::int64_t u) {
      const std::int64_t at = which * hidden + u;
      return w.FromInput(at, input) + w.FromHidden(at, before);
    };
    for (std::int64_t u = 0; u < hidden; ++u) {
      double& cell = c[static_cast<std::size_t>(u)];
      cell = Sigmoid(gate(1, u)) * cell + Sigmoid(gate(0, u)) * std::tanh(gate(2, u));
      h[static_cast<std::size_t>(u)] = Sigmoid(gate(3, u)) * std::tanh(cell);
      y.at(t, u) = static_cast<float>(h[static_cast<std::size_t>(u)]);
    }
  }
  return y;
}

Tensor NaiveGru(const Weights& w, const Tensor& x, std::int64_t hidden, bool reverse) {
  std::vector<double> h(static_cast<std::size_t>(hidden), 0.0);
  Tensor y(x.rows(), hidden);
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const std::int64_t t = reverse ? x.rows() - 1 - i : i;
    const std::vector<double> input = Row(x, t), before = h;
    for (std::int64_t u = 0; u < hidden; ++u) {
      const double r = Sigmoid(w.FromInput(u, input) + w.FromHidden(u, before));
      const double z = Sigmoid(w.FromInput(hidden + u, input) + w.FromHidden(hidden + u, before));
      const double n =
          std::tanh(w.FromInput(2 * hidden + u, input) + r * w.FromHidden(2 * hidden + u, before));
      h[static_cast<std::size_t>(u)] = (1 - z) * n + z * before[static_cast<std::size_t>(u)];
      y.at(t, u) = static_cast<float>(h[static_cast<std::size_t>(u)]);
    }
  }
  return y;
}

void ExpectNear(const Tensor& actual, const Tensor& expected, float tolerance) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual.data()[i], expected.data()[i], tolerance) << i;
  }
}

constexpr std::int64_t kIn = 13, kHidden = 22, kTime = 15;

template <typename Layer, typename Naive>
void CheckLayer(std::int64_t gates, const Naive& naive) {
  Random random(11);
  const Weights w(random, gates, kIn, kHidden), w_back(random, gates, kIn, kHidden);
  const Layer layer(w.ih, w.hh, w.bias_ih, w.bias_hh);
  const Layer backward(w_back.ih, w_back.hh, w_back.bias_ih, w_back.bias_hh);
  EXPECT_EQ(layer.inputs(), kIn);
  EXPECT_EQ(layer.hidden(), kHidden);
  const Tensor x = RandomTensor(random, kTime, kIn);
  const Tensor expected = naive(w, x, kHidden, false);
  Tensor y;

  auto state = layer.Start();
  layer.Sequence(x, state, y);
  ExpectNear(y, expected, 2e-6f);
  ExpectNear(state.h, expected.Rows(kTime - 1, kTime), 2e-6f);

  // Step by step, and a sequence in two parts.
  state = layer.Start();
  for (std::int64_t t = 0; t < kTime; ++t) {
    layer.Step(x.Rows(t, t + 1), state);
    ExpectNear(state.h, expected.Rows(t, t + 1), 2e-6f);
  }
  state = layer.Start();
  layer.Sequence(x.Rows(0, 4), state, y);
  layer.Sequence(x.Rows(4, kTime), state, y);
  ExpectNear(y, expected.Rows(4, kTime), 2e-6f);

  // Both directions.
  Bidirectional(layer, backward, x, y);
  const Tensor back = naive(w_back, x, kHidden, true);
  Tensor both;
  ConcatColumns({&expected, &back}, both);
  ExpectNear(y, both, 2e-6f);

  // Sequences of equal length together: row t*batch + b.
  const std::int64_t batch = 3;
  const Tensor many = RandomTensor(random, kTime * batch, kIn);
  state = layer.Start(batch);
  layer.Sequence(many, state, y);
  for (std::int64_t b = 0; b < batch; ++b) {
    Tensor one(kTime, kIn), of_batch(kTime, kHidden);
    for (std::int64_t t = 0; t < kTime; ++t) {
      std::ranges::copy(many.row(t * batch + b), one.row(t).begin());
      std::ranges::copy(y.row(t * batch + b), of_batch.row(t).begin());
    }
    ExpectNear(of_batch, naive(w, one, kHidden, false), 2e-6f);
  }

  // Narrow weights.
  for (const Precision precision : {Precision::kBf16, Precision::kInt8}) {
    const Layer narrow(w.ih, w.hh, w.bias_ih, w.bias_hh, precision);
    state = narrow.Start();
    narrow.Sequence(x, state, y);
    ExpectNear(y, expected, 3e-2f);
  }

  // No biases.
  Weights bare = w;
  std::ranges::fill(bare.bias_ih.values, 0.0f);
  std::ranges::fill(bare.bias_hh.values, 0.0f);
  const Layer without(w.ih, w.hh, Weight{}, Weight{});
  state = without.Start();
  without.Sequence(x, state, y);
  ExpectNear(y, naive(bare, x, kHidden, false), 2e-6f);
}

TEST(Lstm, MatchesPyTorchsEquations) { CheckLayer<Lstm>(4, NaiveLstm); }
TEST(Gru, MatchesPyTorchsEquations) { CheckLayer<Gru>(3, NaiveGru); }

}  // namespace
}  // namespace timbre::nn
