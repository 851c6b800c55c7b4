#include "models/sv2tts/mockingbird_style.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nn/conv1d.h"
#include "nn/linear.h"
#include "nn/ops.h"
#include "nn/recurrent.h"

namespace timbre::models {
namespace {

using nn::Tensor;
using nn::WeightReader;

std::int64_t DimOf(const WeightReader& reader, std::string_view name, std::size_t dim) {
  const auto shape = reader.Shape(name);
  return shape && dim < shape->size() ? (*shape)[dim] : 1;
}

// A 3x3 convolution with stride 2 over an image one row high is a convolution along that row with
// the kernel's middle row. The batch norm behind it is folded in.
nn::Conv1d TakeMiddleRow(WeightReader encoder, int layer, std::int64_t outputs,
                         std::int64_t inputs) {
  const nn::Weight square =
      encoder.Take(fmt::format("convs.{}.weight", layer), {outputs, inputs, 3, 3});
  nn::Weight weight{{outputs, inputs, 3}, std::vector<float>(outputs * inputs * 3)};
  if (square.size() == outputs * inputs * 9) {
    for (std::int64_t i = 0; i < outputs * inputs; ++i) {
      std::copy_n(square.values.data() + i * 9 + 3, 3, weight.values.data() + i * 3);
    }
  }
  nn::Weight bias = encoder.Take(fmt::format("convs.{}.bias", layer), {outputs});
  nn::FoldBatchNorm(nn::BatchNorm::Take(encoder.Child(fmt::format("bns.{}", layer)), outputs),
                    weight, bias);
  return nn::Conv1d(std::move(weight), std::move(bias), {.activation = nn::Activation::kRelu});
}

// The reference encoder's output for an image of zeros, one row of `width`.
std::vector<float> EncodeSilence(WeightReader encoder, std::int64_t width) {
  Tensor x(width, 1), y;  // [width, channels]
  for (int layer = 0; encoder.Has(fmt::format("convs.{}.weight", layer)); ++layer) {
    const std::int64_t outputs = DimOf(encoder, fmt::format("convs.{}.weight", layer), 0);
    TakeMiddleRow(encoder, layer, outputs, x.cols()).Forward(x, y);
    x.Reshape((y.rows() + 1) / 2, outputs);
    for (std::int64_t i = 0; i < x.rows(); ++i) std::ranges::copy(y.row(2 * i), x.row(i).begin());
  }
  Tensor flat(1, x.size());  // channel by channel
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t c = 0; c < x.cols(); ++c) flat.at(0, c * x.rows() + i) = x.at(i, c);
  }
  WeightReader gru = encoder.Child("gru");
  const nn::Gru cell =
      nn::Gru::Take(gru, "_l0", flat.cols(), DimOf(encoder, "gru.weight_hh_l0", 1));
  nn::Gru::State state = cell.Start();
  cell.Step(flat, state);
  return {state.h.data(), state.h.data() + state.h.size()};
}

Tensor Project(const Tensor& tokens, nn::Weight weight) {
  return nn::Linear(std::move(weight))(tokens);
}

}  // namespace

MockingBirdStyle::MockingBirdStyle(WeightReader gst, std::int64_t speaker_size)
    : reference_(EncodeSilence(gst.Child("encoder"), speaker_size)) {
  WeightReader stl = gst.Child("stl");
  const nn::Weight embed = stl.Take("embed", {-1, -1});
  Tensor tokens(DimOf(stl, "embed", 0), DimOf(stl, "embed", 1));  // [tokens, head]
  if (embed.size() == tokens.size()) std::ranges::copy(embed.values, tokens.data());
  nn::Activate(nn::Activation::kTanh, tokens);
  head_size_ = tokens.cols();
  const std::int64_t size = DimOf(stl, "attention.W_query.weight", 0);
  const auto reference = static_cast<std::int64_t>(reference_.size());
  query_ = stl.Take("attention.W_query.weight", {size, reference + speaker_size});
  keys_ = Project(tokens, stl.Take("attention.W_key.weight", {size, head_size_}));
  values_ = Project(tokens, stl.Take("attention.W_value.weight", {size, head_size_}));
  if (size % head_size_ != 0) {
    gst.Refuse({ErrorCode::kUnsupported, "wrong_shape",
                fmt::format("gst.stl: the style vector of {} does not divide into heads of {}",
                            size, head_size_)});
  }
}

std::vector<float> MockingBirdStyle::Vector(int token, std::span<const float> speaker) const {
  if (token != kFromSpeaker) {
    const std::span<const float> value = values_.row(token);
    return {value.begin(), value.end()};
  }
  std::vector<float> input = reference_;
  input.insert(input.end(), speaker.begin(), speaker.end());
  std::vector<float> style(static_cast<std::size_t>(size()));
  std::vector<float> query(style.size()), weights(static_cast<std::size_t>(tokens()));
  for (std::size_t i = 0; i < query.size(); ++i) {
    query[i] = nn::Dot(std::span(query_.values).subspan(i * input.size(), input.size()), input);
  }
  const auto head = static_cast<std::size_t>(head_size_);
  const float scale = 1.0F / std::sqrt(static_cast<float>(head_size_));
  for (std::size_t begin = 0; begin < style.size(); begin += head) {
    const auto part = [&](std::span<const float> row) { return row.subspan(begin, head); };
    for (std::size_t t = 0; t < weights.size(); ++t) {
      weights[t] = scale * nn::Dot(part(query), part(keys_.row(static_cast<std::int64_t>(t))));
    }
    nn::Softmax(weights);
    for (std::size_t t = 0; t < weights.size(); ++t) {
      nn::Axpy(weights[t], part(values_.row(static_cast<std::int64_t>(t))),
               std::span(style).subspan(begin, head));
    }
  }
  return style;
}

}  // namespace timbre::models
