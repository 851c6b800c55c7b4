#include "models/sv2tts/cbhg.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace timbre::models {
namespace {

using nn::Activation;
using nn::Tensor;
using nn::WeightReader;

std::int64_t CountLayers(const WeightReader& reader, std::string_view pattern) {
  std::int64_t count = 0;
  while (reader.Has(fmt::format(fmt::runtime(pattern), count))) ++count;
  return count;
}

std::int64_t DimOf(const WeightReader& reader, std::string_view name, std::size_t dim) {
  const auto shape = reader.Shape(name);
  return shape && dim < shape->size() ? (*shape)[dim] : 1;
}

// Kernel k of the bank sees k/2 rows back (padding k//2, cut to length); in the widest kernel its
// first tap stands at widest/2 - k/2.
nn::Conv1d TakeBank(WeightReader reader, std::int64_t kernels, std::int64_t channels,
                    std::int64_t inputs, nn::Precision precision) {
  const std::int64_t widest = kernels;
  nn::Weight all{{kernels * channels, inputs, widest},
                 std::vector<float>(kernels * channels * inputs * widest)};
  for (std::int64_t k = 1; k <= kernels; ++k) {
    const nn::Weight one =
        reader.Take(fmt::format("conv1d_bank.{}.conv.weight", k - 1), {channels, inputs, k});
    if (one.size() != channels * inputs * k) continue;  // refused, and the reader says so
    const std::int64_t offset = widest / 2 - k / 2;
    float* target = all.values.data() + (k - 1) * channels * inputs * widest + offset;
    for (std::int64_t i = 0; i < channels * inputs; ++i) {
      std::copy_n(one.values.data() + i * k, k, target + i * widest);
    }
  }
  return nn::Conv1d(std::move(all), {},
                    {.padding_left = widest / 2,
                     .padding_right = widest - 1 - widest / 2,
                     .activation = Activation::kRelu,
                     .precision = precision});
}

nn::ScaleShift TakeBankNorm(WeightReader reader, std::int64_t kernels, std::int64_t channels) {
  nn::BatchNorm all;
  for (std::int64_t k = 0; k < kernels; ++k) {
    const nn::BatchNorm one =
        nn::BatchNorm::Take(reader.Child(fmt::format("conv1d_bank.{}.bnorm", k)), channels);
    const auto append = [](const nn::Weight& from, nn::Weight& to) {
      to.values.insert(to.values.end(), from.values.begin(), from.values.end());
      to.shape = {to.size()};
    };
    append(one.weight, all.weight);
    append(one.bias, all.bias);
    append(one.running_mean, all.running_mean);
    append(one.running_var, all.running_var);
  }
  return nn::ScaleShift(all);
}

nn::Conv1d TakeProject2(WeightReader reader, std::int64_t outputs, std::int64_t inputs,
                        nn::Precision precision) {
  nn::Weight weight = reader.Take("conv.weight", {outputs, inputs, 3});
  nn::Weight bias;
  nn::FoldBatchNorm(nn::BatchNorm::Take(reader.Child("bnorm"), outputs), weight, bias);
  return nn::Conv1d(std::move(weight), std::move(bias), {.precision = precision});
}

nn::Linear TakeHighway(WeightReader reader, std::int64_t channels, nn::Precision precision) {
  nn::Weight weight = reader.Take("W1.weight", {channels, channels});
  nn::Weight bias = reader.Take("W1.bias", {channels});
  const nn::Weight gate_weight = reader.Take("W2.weight", {channels, channels});
  const nn::Weight gate_bias = reader.Take("W2.bias", {channels});
  weight.values.insert(weight.values.end(), gate_weight.values.begin(), gate_weight.values.end());
  bias.values.insert(bias.values.end(), gate_bias.values.begin(), gate_bias.values.end());
  weight.shape = {2 * channels, channels};
  bias.shape = {2 * channels};
  return nn::Linear(std::move(weight), std::move(bias), {.precision = precision});
}

nn::Gru TakeGru(WeightReader reader, std::string_view suffix, std::int64_t inputs,
                std::int64_t hidden, nn::Precision precision) {
  return nn::Gru::Take(reader, suffix, inputs, hidden, precision);
}

}  // namespace

struct Cbhg::Sizes {
  std::int64_t inputs = 1, kernels = 1, bank = 1, projection = 1, channels = 1, hidden = 1;
  std::int64_t highways = 1;

  // A damaged checkpoint must not make us reserve more than its own tensors need.
  static Sizes Read(WeightReader reader, std::int64_t inputs) {
    const Sizes sizes{.inputs = inputs,
                      .kernels = CountLayers(reader, "conv1d_bank.{}.conv.weight"),
                      .bank = DimOf(reader, "conv1d_bank.0.conv.weight", 0),
                      .projection = DimOf(reader, "conv_project1.conv.weight", 0),
                      .channels = DimOf(reader, "highways.0.W1.weight", 0),
                      .hidden = DimOf(reader, "rnn.weight_hh_l0", 1),
                      .highways = CountLayers(reader, "highways.{}.W1.weight")};
    const bool sensible = std::ranges::all_of(std::array{sizes.kernels, sizes.highways},
                                              [](std::int64_t n) { return n >= 1 && n <= 16; }) &&
                          std::ranges::all_of(std::array{sizes.inputs, sizes.bank, sizes.projection,
                                                         sizes.channels, sizes.hidden},
                                              [](std::int64_t n) { return n >= 1 && n <= 2048; });
    if (sensible) return sizes;
    reader.Refuse(
        {ErrorCode::kInvalidArgument, "weight_shape",
         fmt::format("the layer sizes of a CBHG block are not usable ({} kernels of {} "
                     "channels, {} highway layers of {}, GRU of {})",
                     sizes.kernels, sizes.bank, sizes.highways, sizes.channels, sizes.hidden)});
    return {};
  }
};

Cbhg::Cbhg(WeightReader reader, std::int64_t inputs, nn::Precision precision)
    : Cbhg(reader, Sizes::Read(reader, inputs), precision) {}

Cbhg::Cbhg(WeightReader reader, const Sizes& sizes, nn::Precision precision)
    : bank_(TakeBank(reader, sizes.kernels, sizes.bank, sizes.inputs, precision)),
      bank_norm_(TakeBankNorm(reader, sizes.kernels, sizes.bank)),
      project1_(reader.Take("conv_project1.conv.weight",
                            {sizes.projection, sizes.kernels * sizes.bank, 3}),
                {}, {.activation = Activation::kRelu, .precision = precision}),
      project1_norm_(nn::BatchNorm::Take(reader.Child("conv_project1.bnorm"), sizes.projection)),
      project2_(
          TakeProject2(reader.Child("conv_project2"), sizes.inputs, sizes.projection, precision)),
      forward_(TakeGru(reader.Child("rnn"), "_l0", sizes.channels, sizes.hidden, precision)),
      backward_(
          TakeGru(reader.Child("rnn"), "_l0_reverse", sizes.channels, sizes.hidden, precision)) {
  if (sizes.inputs != sizes.channels) {
    pre_highway_.emplace_back(reader.Take("pre_highway.weight", {sizes.channels, sizes.inputs}),
                              nn::Weight{}, nn::LinearOptions{.precision = precision});
  }
  for (std::int64_t i = 0; i < sizes.highways; ++i) {
    highways_.push_back(
        TakeHighway(reader.Child(fmt::format("highways.{}", i)), sizes.channels, precision));
  }
}

Cbhg::State Cbhg::Start() const {
  State state;
  state.forward = forward_.Start();
  return state;
}

// y[t] = max(x[t-1], x[t]) over the stream.
void Cbhg::Pool(State& state, const Tensor& x, Tensor& y) const {
  y.Reshape(x.rows(), x.cols());
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    const std::span<const float> now = x.row(t);
    const std::span<const float> before =
        t > 0 ? x.row(t - 1)
              : (state.pool_last.rows() > 0 ? std::as_const(state.pool_last).row(0) : now);
    const std::span<float> pooled = y.row(t);
    for (std::size_t c = 0; c < now.size(); ++c) pooled[c] = std::max(before[c], now[c]);
  }
  if (x.rows() > 0) state.pool_last = x.Rows(x.rows() - 1, x.rows());
}

// x = g * relu(W1 x) + (1 - g) * x with g = sigmoid(W2 x), layer by layer.
void Cbhg::RunHighways(Tensor& x) const {
  Tensor both;  // [rows, 2 * channels]
  const auto channels = static_cast<std::size_t>(x.cols());
  for (const nn::Linear& highway : highways_) {
    highway.Forward(x, both);
    for (std::int64_t t = 0; t < x.rows(); ++t) {
      const std::span<float> value = both.row(t).first(channels);
      const std::span<float> gate = both.row(t).subspan(channels);
      nn::Activate(Activation::kRelu, value);
      nn::Activate(Activation::kSigmoid, gate);
      const std::span<float> row = x.row(t);
      for (std::size_t c = 0; c < channels; ++c) row[c] += gate[c] * (value[c] - row[c]);
    }
  }
}

void Cbhg::Push(State& state, const Tensor& x, bool last, int future, Tensor& out) const {
  Tensor a, b;
  state.residual.Append(x);
  bank_.Push(state.bank, x, last, a);
  bank_norm_.Apply(a);
  Pool(state, a, b);
  project1_.Push(state.project1, b, last, a);
  project1_norm_.Apply(a);
  project2_.Push(state.project2, a, last, b);
  state.residual.Take(b.rows(), a);
  nn::Add(b, a);  // [rows, inputs]
  if (!pre_highway_.empty()) {
    pre_highway_.front().Forward(a, b);
    std::swap(a, b);
  }
  RunHighways(a);
  forward_.Sequence(a, state.forward, b);
  state.highway.AppendRows(a);
  state.forward_out.AppendRows(b);

  const std::int64_t known = state.highway.rows();
  std::int64_t ready = 0;
  if (last) {
    ready = known;
  } else if (future != kWholeSegment) {
    ready = std::max<std::int64_t>(0, known - future);
  }
  const std::int64_t hidden = forward_.hidden();
  out.Reshape(ready, 2 * hidden);
  if (ready == 0) return;
  nn::Gru::State backward = backward_.Start();
  backward_.Sequence(state.highway, backward, b, /*reverse=*/true);
  for (std::int64_t t = 0; t < ready; ++t) {
    std::ranges::copy(std::as_const(state.forward_out).row(t), out.row(t).begin());
    std::ranges::copy(std::as_const(b).row(t), out.row(t).begin() + hidden);
  }
  state.highway.DropFrontRows(ready);
  state.forward_out.DropFrontRows(ready);
}

Tensor Cbhg::operator()(const Tensor& x) const {
  State state = Start();
  Tensor out;
  Push(state, x, /*last=*/true, kWholeSegment, out);
  return out;
}

}  // namespace timbre::models
