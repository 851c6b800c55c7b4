// The HiFi-GAN generator: mel spectrogram -> samples (Kong, Kim and Bae, "HiFi-GAN: Generative
// Adversarial Networks for Efficient and High Fidelity Speech Synthesis", 2020, figure 1). Reads
// the official generator files (V1, V2, V3, UNIVERSAL), relatives with other sizes, and
// MockingBird's 16 kHz generator. The mel is [frames, bins] in the format of config().mel; samples
// are f32 in -1..1, hop per frame.
//
// A model is const and shared by any number of threads. What changes lives in a Stream, one per
// utterance, used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "models/hifigan/hifigan_config.h"
#include "nn/calibration.h"
#include "nn/conv1d.h"
#include "nn/conv_transpose1d.h"
#include "nn/precision.h"
#include "nn/stream.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

class HifiGan {
 public:
  class Stream;

  // `generator` reads the generator's state dict. `ranges` are the input ranges of the int8 layers
  // (Calibrate); without them an int8 model measures its inputs at every call. Errors: the
  // reader's, naming the missing or misshapen tensor. The entry and exit convolutions stay in f32:
  // they are cheap and carry the most. So does the first stage of an int8 model (bf16 with AMX).
  static Result<std::shared_ptr<const HifiGan>> Load(const nn::WeightReader& generator,
                                                     const HifiGanConfig& config,
                                                     nn::Precision precision,
                                                     const nn::ActivationRanges& ranges = {});

  const HifiGanConfig& config() const { return config_; }
  nn::Precision precision() const { return precision_; }
  // Mel frames that must follow a frame before its samples can come out of a Stream.
  int lookahead_frames() const { return config_.LookAheadFrames(); }

  // The whole utterance: mel [frames, bins] -> frames * hop samples.
  std::vector<float> Forward(const nn::Tensor& mel) const;

  // Prepares a Stream's usual chunk size, so that the first chunk is not slower than the others.
  void Warm(std::int64_t frames) const;

 private:
  // x = x + conv2(lrelu(conv1(lrelu(x)))) for every dilation (type 1), or
  // x = x + conv(lrelu(x)) (type 2: convs1 is empty, convs2 holds the checkpoint's `convs`).
  struct ResBlock {
    std::vector<nn::Conv1d> convs1;
    std::vector<nn::Conv1d> convs2;
  };

  HifiGan(nn::WeightReader generator, const HifiGanConfig& config, nn::Precision precision,
          const nn::ActivationRanges& ranges);

  HifiGanConfig config_;
  nn::Precision precision_;
  nn::Conv1d conv_pre_;
  std::vector<nn::ConvTranspose1d> ups_;          // one per stage
  std::vector<std::vector<ResBlock>> resblocks_;  // [stage][parallel block]
  nn::Conv1d conv_post_;
};

// One utterance on its way through the generator. Every convolution keeps the inputs it still
// needs, so each sample is computed once, and the samples are those of Forward however the mel is
// cut into chunks, delayed by lookahead_frames().
class HifiGan::Stream {
 public:
  // `model` must outlive the stream.
  explicit Stream(const HifiGan& model);

  // Takes mel [any rows, 0 too; bins] and appends the samples that are now known. `last` ends the
  // utterance: all the rest comes out, and nothing may be pushed after it.
  void Push(const nn::Tensor& mel, bool last, std::vector<float>& samples);

 private:
  struct ResBlockState {
    std::vector<nn::Conv1d::State> convs1;
    std::vector<nn::Conv1d::State> convs2;
    std::vector<nn::RowQueue> residuals;  // rows of x that wait for their f(x)
  };
  struct StageState {
    nn::ConvTranspose1d::State up;
    std::vector<ResBlockState> blocks;
    nn::StreamSum sum;
  };

  // Runs one residual block; the result is in `x`, the input is kept.
  const nn::Tensor& RunBlock(const ResBlock& block, ResBlockState& state, const nn::Tensor& input,
                             bool last);

  const HifiGan& model_;
  nn::Conv1d::State conv_pre_;
  std::vector<StageState> stages_;
  nn::Conv1d::State conv_post_;
  nn::Tensor features_, upsampled_, inner_, block_[2], samples_;  // scratch
};

// Largest inputs of every layer while `model` (f32) speaks `mels`, for an int8 model.
nn::ActivationRanges Calibrate(const HifiGan& model, std::span<const nn::Tensor> mels);

}  // namespace timbre::models
