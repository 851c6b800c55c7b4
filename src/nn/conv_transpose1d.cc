#include "nn/conv_transpose1d.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace timbre::nn {
namespace {

std::int64_t Taps(std::int64_t kernel, std::int64_t stride) {
  return (kernel + stride - 1) / stride;
}

// y[t*stride + p] = sum over j of x[t - j] w[:, :, p + j*stride]: a convolution whose output
// channel p*out + o is phase p of channel o, and whose tap i (oldest first) is j = taps-1-i.
Conv1d AsConvolution(const Weight& weight, const Weight& bias, ConvTranspose1dOptions& options) {
  TIMBRE_CHECK(weight.shape.size() == 3 && options.stride >= 1 && options.padding >= 0 &&
               options.output_padding >= 0);
  const std::int64_t in = weight.dim(0), out = weight.dim(1), kernel = weight.dim(2);
  const std::int64_t stride = options.stride, taps = Taps(kernel, stride);
  Weight phases{{stride * out, in, taps}, {}};
  phases.values.assign(static_cast<std::size_t>(stride * out * in * taps), 0.0f);
  for (std::int64_t c = 0; c < in; ++c) {
    for (std::int64_t o = 0; o < out; ++o) {
      for (std::int64_t k = 0; k < kernel; ++k) {
        const std::int64_t phase = k % stride, tap = taps - 1 - k / stride;
        phases.values[static_cast<std::size_t>(((phase * out + o) * in + c) * taps + tap)] =
            weight.values[static_cast<std::size_t>((c * out + o) * kernel + k)];
      }
    }
  }
  Weight biases;
  if (!bias.values.empty()) {
    TIMBRE_CHECK(bias.size() == out);
    biases.shape = {stride * out};
    for (std::int64_t phase = 0; phase < stride; ++phase) {
      biases.values.insert(biases.values.end(), bias.values.begin(), bias.values.end());
    }
  }
  // After the last input row come as many groups of `stride` rows as the output still needs.
  const std::int64_t tail = std::max<std::int64_t>(
      0, (kernel - options.padding + options.output_padding + stride - 1) / stride - 1);
  return Conv1d(std::move(phases), std::move(biases),
                {.padding_left = taps - 1,
                 .padding_right = tail,
                 .input_activation = options.input_activation,
                 .input_slope = options.input_slope,
                 .precision = options.precision,
                 .name = std::move(options.name),
                 .input_range = options.input_range});
}

}  // namespace

ConvTranspose1d::ConvTranspose1d(Weight weight, Weight bias, ConvTranspose1dOptions options)
    : outputs_(weight.shape.size() == 3 ? weight.dim(1) : 0),
      kernel_(weight.shape.size() == 3 ? weight.dim(2) : 0),
      stride_(options.stride),
      padding_(options.padding),
      output_padding_(options.output_padding),
      conv_(AsConvolution(weight, bias, options)) {}

std::int64_t ConvTranspose1d::OutputRows(std::int64_t rows) const {
  if (rows == 0) return 0;
  return std::max<std::int64_t>(0, (rows - 1) * stride_ - 2 * padding_ + kernel_ + output_padding_);
}

void ConvTranspose1d::Forward(const Tensor& x, Tensor& y) const {
  State state;
  Push(state, x, true, y);
}

Tensor ConvTranspose1d::operator()(const Tensor& x) const {
  Tensor y;
  Forward(x, y);
  return y;
}

void ConvTranspose1d::Push(State& state, const Tensor& x, bool last, Tensor& y) const {
  state.inputs_ += x.rows();
  if (state.inputs_ == 0) {
    y.Reshape(0, outputs_);
    return;
  }
  conv_.Push(state.conv_, x, last, y);
  y.Reshape(y.rows() * stride_, outputs_);
  const std::int64_t drop = std::min(padding_ - state.dropped_, y.rows());
  y.DropFrontRows(drop);
  state.dropped_ += drop;
  if (state.held_.rows() > 0) {
    state.held_.AppendRows(y);
    std::swap(state.held_, y);
    state.held_.Reshape(0, outputs_);
  }
  const std::int64_t sure = OutputRows(state.inputs_) - state.outputs_;
  if (y.rows() > sure) {
    if (!last) state.held_ = y.Rows(sure, y.rows());
    y.ResizeRows(sure);
  }
  state.outputs_ += y.rows();
}

void ConvTranspose1d::Warm(std::int64_t rows) const { conv_.Warm(rows); }

}  // namespace timbre::nn
