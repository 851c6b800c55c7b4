#include "models/sv2tts/location_attention.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "nn/ops.h"

namespace timbre::models {
namespace {

// The location features are linear in the history, so the convolution and the dense layer behind
// it are one matrix [attention, channels * taps] over unfolded history, with a bias.
nn::Linear FoldLocation(const LocationAttention::Parameters& parameters) {
  const nn::Weight& conv = parameters.conv;
  const nn::Weight& dense = parameters.dense;
  const std::int64_t filters = conv.dim(0);
  const std::int64_t inputs = conv.dim(1) * conv.dim(2);
  const std::int64_t attention = dense.dim(0);
  nn::Weight weight{{attention, inputs}, std::vector<float>(attention * inputs)};
  nn::Weight bias{{attention}, std::vector<float>(attention)};
  std::vector<double> row(inputs);
  for (std::int64_t a = 0; a < attention; ++a) {
    std::fill(row.begin(), row.end(), 0.0);
    double offset = 0.0;
    for (std::int64_t f = 0; f < filters; ++f) {
      const double scale = dense.values[a * filters + f];
      for (std::int64_t i = 0; i < inputs; ++i) row[i] += scale * conv.values[f * inputs + i];
      if (!parameters.conv_bias.values.empty()) offset += scale * parameters.conv_bias.values[f];
    }
    for (std::int64_t i = 0; i < inputs; ++i) {
      weight.values[a * inputs + i] = static_cast<float>(row[i]);
    }
    bias.values[a] = static_cast<float>(offset);
  }
  return nn::Linear(std::move(weight), std::move(bias));
}

// Rows in steps of 16, so that texts of all lengths share a few matrix shapes.
std::int64_t RoundUp(std::int64_t rows) { return (rows + 15) / 16 * 16; }

}  // namespace

LocationAttention::LocationAttention(Parameters parameters)
    : channels_(parameters.conv.dim(1)),
      taps_(parameters.conv.dim(2)),
      window_(parameters.window),
      location_(FoldLocation(parameters)),
      v_(std::move(parameters.v.values)) {
  TIMBRE_CHECK(channels_ == 1 || channels_ == 2);
}

LocationAttention::State LocationAttention::Start(const Memory& memory) const {
  State state;
  state.weights.assign(memory.keys.rows(), 0.0F);
  state.cumulative.assign(memory.keys.rows(), 0.0F);
  return state;
}

LocationAttention::Window LocationAttention::WindowAt(std::int64_t position,
                                                      std::int64_t positions) const {
  if (window_ == 0 || positions <= window_) return {0, positions};
  const std::int64_t begin =
      std::clamp<std::int64_t>(position - kWindowBehind, 0, positions - window_);
  return {begin, begin + window_};
}

// Row i: the history around position begin + i, zeros beyond the text's ends.
void LocationAttention::FillHistory(const State& state, Window window, nn::Tensor& history) const {
  const auto positions = static_cast<std::int64_t>(state.weights.size());
  const std::int64_t rows = window.end - window.begin;
  history.Reshape(RoundUp(rows), channels_ * taps_);
  history.Fill(0.0F);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t first = window.begin + i - taps_ / 2;
    const std::int64_t from = std::max<std::int64_t>(first, 0);
    const std::int64_t to = std::min(first + taps_, positions);
    float* row = history.row(i).data() + (from - first);
    if (channels_ == 2) {
      std::copy(state.weights.data() + from, state.weights.data() + to, row);
      row += taps_;
    }
    std::copy(state.cumulative.data() + from, state.cumulative.data() + to, row);
  }
}

void LocationAttention::Step(std::span<const float> query, const Memory& memory, State& state,
                             std::span<float> context) const {
  const std::int64_t positions = memory.keys.rows();
  const Window window = WindowAt(state.position, positions);
  FillHistory(state, window, state.history);
  location_.Forward(state.history, state.features);  // [rows, attention]

  const std::int64_t rows = window.end - window.begin;
  const std::size_t attention = v_.size();
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::span<float> feature = state.features.row(i);
    const std::span<const float> key = memory.keys.row(window.begin + i);
    for (std::size_t a = 0; a < attention; ++a) feature[a] += query[a] + key[a];
  }
  nn::Activate(nn::Activation::kTanh, std::span<float>(state.features.data(), rows * attention));

  std::fill(state.weights.begin(), state.weights.end(), 0.0F);
  const std::span<float> weights(state.weights.data() + window.begin,
                                 static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    const bool ignored = !memory.ignored.empty() && memory.ignored[window.begin + i];
    weights[i] = ignored ? 0.0F : nn::Dot(v_, std::as_const(state.features).row(i));
  }
  nn::Softmax(weights);

  std::fill(context.begin(), context.end(), 0.0F);
  for (std::int64_t i = 0; i < rows; ++i) {
    state.cumulative[window.begin + i] += weights[i];
    nn::Axpy(weights[i], memory.values.row(window.begin + i), context);
  }
  MoveOn(window, state);
}

void LocationAttention::MoveOn(Window window, State& state) const {
  const auto begin = state.weights.begin();
  const std::int64_t largest = std::max_element(begin + window.begin, begin + window.end) - begin;
  const auto positions = static_cast<std::int64_t>(state.weights.size());
  const bool guarded = window_ != 0 && positions > window_;
  std::int64_t next = largest;
  if (guarded) next = std::clamp(largest, state.position, state.position + kMaxAdvance);
  state.stalled = next == state.position ? state.stalled + 1 : 0;
  if (guarded && state.stalled >= kStallLimit) {
    next = largest;
    state.stalled = 0;
  }
  state.position = next;
  state.rested = next == positions - 1 ? state.rested + 1 : 0;
}

}  // namespace timbre::models
