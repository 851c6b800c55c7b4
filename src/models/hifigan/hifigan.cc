#include "models/hifigan/hifigan.h"

#include "base/check.h"
#include "nn/cpu.h"

namespace timbre::models {
namespace {

using nn::Activation;
using nn::Conv1d;
using nn::ConvTranspose1d;
using nn::Tensor;
using nn::Weight;
using nn::WeightReader;

constexpr float kSlope = 0.1f;
constexpr float kFinalSlope = 0.01f;        // PyTorch's default: the official code names none here
constexpr std::int64_t kForwardChunk = 32;  // frames: feature maps then stay in the cache

// Rounding the first stage to int8 shows in everything after it (the mel of the result is twice as
// far off as with the other stages alone), and a fifth of the work is there.
nn::Precision FirstStagePrecision(nn::Precision precision) {
  if (precision != nn::Precision::kInt8) return precision;
  return nn::Cpu().amx ? nn::Precision::kBf16 : nn::Precision::kF32;
}

// Makes the layers of a generator from the checkpoint's names.
struct LayerMaker {
  WeightReader reader;
  nn::Precision precision;
  const nn::ActivationRanges& ranges;

  Conv1d Conv(const std::string& name, std::int64_t inputs, std::int64_t outputs,
              std::int64_t kernel, nn::Conv1dOptions options) {
    options.name = name;
    options.input_range = ranges.Find(name);
    Weight weight = reader.TakeWeightNorm(name, {outputs, inputs, kernel});
    return Conv1d(std::move(weight), reader.Take(name + ".bias", {outputs}), options);
  }

  ConvTranspose1d Up(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                     std::int64_t kernel, std::int64_t rate) {
    Weight weight = reader.TakeWeightNorm(name, {inputs, outputs, kernel});
    return ConvTranspose1d(std::move(weight), reader.Take(name + ".bias", {outputs}),
                           {.stride = rate,
                            .padding = (kernel - rate + 1) / 2,
                            .output_padding = (kernel - rate) % 2,
                            .input_activation = Activation::kLeakyRelu,
                            .input_slope = kSlope,
                            .precision = precision,
                            .name = name,
                            .input_range = ranges.Find(name)});
  }
};

}  // namespace

HifiGan::HifiGan(WeightReader generator, const HifiGanConfig& config, nn::Precision precision,
                 const nn::ActivationRanges& ranges)
    : config_(config),
      precision_(precision),
      conv_pre_(LayerMaker{generator, nn::Precision::kF32, ranges}.Conv(
          "conv_pre", config.mel.bins, config.upsample_initial_channel, 7, {})),
      conv_post_(LayerMaker{generator, nn::Precision::kF32, ranges}.Conv(
          "conv_post", config.upsample_initial_channel >> config.upsample_rates.size(), 1, 7,
          {.input_activation = Activation::kLeakyRelu,
           .input_slope = kFinalSlope,
           .activation = Activation::kTanh})) {
  LayerMaker make{generator, FirstStagePrecision(precision), ranges};
  std::int64_t channels = config.upsample_initial_channel;
  const std::size_t blocks = config.resblock_kernel_sizes.size();
  for (std::size_t i = 0; i < config.upsample_rates.size(); ++i) {
    if (i > 0) make.precision = precision;
    ups_.push_back(make.Up(fmt::format("ups.{}", i), channels, channels / 2,
                           config.upsample_kernel_sizes[i], config.upsample_rates[i]));
    channels /= 2;
    std::vector<ResBlock>& stage = resblocks_.emplace_back();
    for (std::size_t j = 0; j < blocks; ++j) {
      ResBlock& block = stage.emplace_back();
      const std::string name = fmt::format("resblocks.{}", i * blocks + j);
      const int kernel = config.resblock_kernel_sizes[j];
      for (std::size_t m = 0; m < config.resblock_dilation_sizes[j].size(); ++m) {
        const int dilation = config.resblock_dilation_sizes[j][m];
        if (config.resblock == 1) {
          block.convs1.push_back(make.Conv(fmt::format("{}.convs1.{}", name, m), channels, channels,
                                           kernel,
                                           {.dilation = dilation,
                                            .input_activation = Activation::kLeakyRelu,
                                            .input_slope = kSlope,
                                            .activation = Activation::kLeakyRelu,
                                            .slope = kSlope,
                                            .precision = make.precision}));
          block.convs2.push_back(make.Conv(fmt::format("{}.convs2.{}", name, m), channels, channels,
                                           kernel,
                                           {.accumulate = true, .precision = make.precision}));
        } else {
          block.convs2.push_back(make.Conv(fmt::format("{}.convs.{}", name, m), channels, channels,
                                           kernel,
                                           {.dilation = dilation,
                                            .input_activation = Activation::kLeakyRelu,
                                            .input_slope = kSlope,
                                            .accumulate = true,
                                            .precision = make.precision}));
        }
      }
    }
  }
}

Result<std::shared_ptr<const HifiGan>> HifiGan::Load(const WeightReader& generator,
                                                     const HifiGanConfig& config,
                                                     nn::Precision precision,
                                                     const nn::ActivationRanges& ranges) {
  std::shared_ptr<const HifiGan> model(new HifiGan(generator, config, precision, ranges));
  TIMBRE_TRY(generator.status());
  return model;
}

std::vector<float> HifiGan::Forward(const Tensor& mel) const {
  std::vector<float> samples;
  samples.reserve(static_cast<std::size_t>(mel.rows() * config_.mel.hop));
  Stream stream(*this);
  for (std::int64_t begin = 0; begin < mel.rows(); begin += kForwardChunk) {
    const std::int64_t end = std::min(begin + kForwardChunk, mel.rows());
    stream.Push(mel.Rows(begin, end), end == mel.rows(), samples);
  }
  return samples;
}

void HifiGan::Warm(std::int64_t frames) const {
  Stream stream(*this);
  std::vector<float> samples;
  const Tensor mel(frames, config_.mel.bins);
  for (std::int64_t done = 0; done <= lookahead_frames() + frames; done += frames) {
    stream.Push(mel, false, samples);
  }
  stream.Push(mel, true, samples);
}

HifiGan::Stream::Stream(const HifiGan& model) : model_(model) {
  for (const std::vector<ResBlock>& blocks : model.resblocks_) {
    StageState stage{.up = {}, .blocks = {}, .sum = nn::StreamSum(blocks.size())};
    for (const ResBlock& block : blocks) {
      stage.blocks.push_back({.convs1 = std::vector<Conv1d::State>(block.convs1.size()),
                              .convs2 = std::vector<Conv1d::State>(block.convs2.size()),
                              .residuals = std::vector<nn::RowQueue>(block.convs2.size())});
    }
    stages_.push_back(std::move(stage));
  }
}

void HifiGan::Stream::Push(const Tensor& mel, bool last, std::vector<float>& samples) {
  TIMBRE_CHECK(mel.rows() == 0 || mel.cols() == model_.config_.mel.bins);
  model_.conv_pre_.Push(conv_pre_, mel, last, features_);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    StageState& stage = stages_[i];
    model_.ups_[i].Push(stage.up, features_, last, upsampled_);
    const std::vector<ResBlock>& blocks = model_.resblocks_[i];
    for (std::size_t j = 0; j < blocks.size(); ++j) {
      stage.sum.Push(j, RunBlock(blocks[j], stage.blocks[j], upsampled_, last));
    }
    stage.sum.Take(1.0f / static_cast<float>(blocks.size()), features_);
  }
  model_.conv_post_.Push(conv_post_, features_, last, samples_);  // [samples, 1]
  samples.insert(samples.end(), samples_.data(), samples_.data() + samples_.size());
}

const Tensor& HifiGan::Stream::RunBlock(const ResBlock& block, ResBlockState& state,
                                        const Tensor& input, bool last) {
  const Tensor* x = &input;
  for (std::size_t m = 0; m < block.convs2.size(); ++m) {
    const Tensor* inner = x;
    if (!block.convs1.empty()) {
      block.convs1[m].Push(state.convs1[m], *x, last, inner_);
      inner = &inner_;
    }
    Tensor& y = block_[m % 2];
    state.residuals[m].Append(*x);
    state.residuals[m].Take(block.convs2[m].PushRows(state.convs2[m], inner->rows(), last), y);
    block.convs2[m].Push(state.convs2[m], *inner, last, y);  // y += conv2(...)
    x = &y;
  }
  return *x;
}

nn::ActivationRanges Calibrate(const HifiGan& model, std::span<const Tensor> mels) {
  nn::ActivationRanges ranges;
  const nn::RecordRanges scope(ranges);
  for (const Tensor& mel : mels) model.Forward(mel);
  return ranges;
}

}  // namespace timbre::models
