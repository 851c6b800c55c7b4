#include "models/sv2tts/wavernn_upsampler.h"

#include <algorithm>
#include <utility>

#include "nn/ops.h"

namespace timbre::models {
namespace {

using nn::Tensor;
using nn::WeightReader;

constexpr int kMaxLayers = 64;
constexpr std::int64_t kMaxHop = 4096;

std::int64_t DimOf(const WeightReader& reader, std::string_view name, std::size_t dim) {
  const auto shape = reader.Shape(name);
  return shape && dim < shape->size() ? (*shape)[dim] : 1;
}

// A convolution over exactly as many frames as its kernel has taps is a linear layer of them.
nn::Linear TakeConvIn(WeightReader resnet, std::int64_t bins) {
  constexpr std::int64_t kTaps = WaveRnnUpsampler::kSurroundings;
  const std::int64_t outputs = DimOf(resnet, "conv_in.weight", 0);
  const nn::Weight conv = resnet.Take("conv_in.weight", {outputs, bins, kTaps});
  nn::Weight weight{{outputs, kTaps * bins}, std::vector<float>(conv.values.size())};
  for (std::int64_t o = 0; o < outputs; ++o) {
    for (std::int64_t c = 0; c < bins; ++c) {
      for (std::int64_t k = 0; k < kTaps; ++k) {
        weight.values[(o * kTaps + k) * bins + c] = conv.values[(o * bins + c) * kTaps + k];
      }
    }
  }
  nn::Weight bias;
  nn::FoldBatchNorm(nn::BatchNorm::Take(resnet.Child("batch_norm"), outputs), weight, bias);
  return nn::Linear(std::move(weight), std::move(bias), {.activation = nn::Activation::kRelu});
}

nn::Linear TakePointwise(WeightReader block, int number, std::int64_t channels,
                         nn::Activation activation) {
  nn::Weight weight = block.Take(fmt::format("conv{}.weight", number), {channels, channels, 1});
  weight.shape = {channels, channels};
  nn::Weight bias;
  nn::FoldBatchNorm(nn::BatchNorm::Take(block.Child(fmt::format("batch_norm{}", number)), channels),
                    weight, bias);
  return nn::Linear(std::move(weight), std::move(bias), {.activation = activation});
}

nn::Linear TakeConvOut(WeightReader resnet, std::int64_t channels) {
  const std::int64_t outputs = DimOf(resnet, "conv_out.weight", 0);
  nn::Weight weight = resnet.Take("conv_out.weight", {outputs, channels, 1});
  weight.shape = {outputs, channels};
  return nn::Linear(std::move(weight), resnet.Take("conv_out.bias", {outputs}));
}

}  // namespace

WaveRnnUpsampler::WaveRnnUpsampler(WeightReader reader)
    : bins_(DimOf(reader, "resnet.conv_in.weight", 1)),
      conv_in_(TakeConvIn(reader.Child("resnet"), bins_)),
      conv_out_(TakeConvOut(reader.Child("resnet"), conv_in_.outputs())) {
  WeightReader resnet = reader.Child("resnet");
  for (int i = 0; i < kMaxLayers && resnet.Has(fmt::format("layers.{}.conv1.weight", i)); ++i) {
    WeightReader block = resnet.Child(fmt::format("layers.{}", i));
    layers_.push_back(
        {.conv1 = TakePointwise(block, 1, conv_in_.outputs(), nn::Activation::kRelu),
         .conv2 = TakePointwise(block, 2, conv_in_.outputs(), nn::Activation::kNone)});
  }
  // up_layers alternates stretching (no weights) and smoothing.
  for (int i = 1; i < kMaxLayers && reader.Has(fmt::format("up_layers.{}.weight", i)); i += 2) {
    nn::Weight taps = reader.Take(fmt::format("up_layers.{}.weight", i), {1, 1, 1, -1});
    const std::int64_t scale = (taps.size() - 1) / 2;
    if (scale < 2 || taps.size() != 2 * scale + 1 || hop_ * scale > kMaxHop) {
      reader.Refuse({ErrorCode::kUnsupported, "weight_shape",
                     fmt::format("upsample.up_layers.{}.weight has {} taps; expected 2 * factor + "
                                 "1 with factors of 2 and more, together at most {}",
                                 i, taps.size(), kMaxHop)});
      return;
    }
    hop_ *= scale;
    up_layers_.push_back({scale, std::move(taps.values)});
  }
}

void WaveRnnUpsampler::Frame(const Tensor& mel, std::int64_t first, Tensor& aux,
                             Tensor& samples) const {
  const Tensor around = mel.Rows(first, first + kSurroundings);
  Tensor flat(1, around.size()), x, y;
  std::copy_n(around.data(), around.size(), flat.data());
  conv_in_.Forward(flat, x);
  for (const ResBlock& block : layers_) {
    block.conv1.Forward(x, y);
    block.conv2.Forward(y, aux);
    nn::Add(aux, x);
  }
  conv_out_.Forward(x, aux);

  // Repeat, smooth, repeat, smooth … The smoothing reaches less than 1.5 frames in all, so the
  // middle is what the whole sound would give.
  x = around;
  for (const UpLayer& layer : up_layers_) {
    const std::int64_t rows = x.rows() * layer.scale;
    y = Tensor(rows, x.cols());
    for (std::int64_t t = 0; t < rows; ++t) {
      const std::int64_t begin = std::max<std::int64_t>(0, t - layer.scale);
      const std::int64_t end = std::min(rows, t + layer.scale + 1);
      for (std::int64_t s = begin; s < end; ++s) {
        nn::Axpy(layer.taps[s - t + layer.scale], std::as_const(x).row(s / layer.scale), y.row(t));
      }
    }
    std::swap(x, y);
  }
  samples = x.Rows(kLookAhead * hop_, (kLookAhead + 1) * hop_);
}

}  // namespace timbre::models
