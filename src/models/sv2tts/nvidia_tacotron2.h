// NVIDIA's Tacotron 2 (Shen et al. 2018; https://github.com/NVIDIA/tacotron2): symbols to 80-bin
// natural-log mel frames, 22.05 kHz, hop 256, one frame per step. Sizes are read from the
// checkpoint's shapes. A decoder wider than the encoder takes a speaker embedding behind every
// encoder output (ours; the published model has one speaker).
//
// The model is const and shared; a Generation is one utterance's state, used by one thread at a
// time. Different utterances may be stepped together as rows of one batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "models/mel_format.h"
#include "models/sv2tts/decoding.h"
#include "models/sv2tts/location_attention.h"
#include "nn/conv1d.h"
#include "nn/precision.h"
#include "nn/recurrent.h"
#include "nn/stream.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

class NvidiaTacotron2 {
 public:
  static constexpr int kMaxFrames = 1000;  // the official max_decoder_steps

  using Encoded = LocationAttention::Memory;

  struct Generation {
    Encoded encoded;
    DecodeOptions options;
    LocationAttention::State attention;
    nn::Lstm::State attention_rnn, decoder_rnn;  // one row each
    nn::Tensor context;                          // [1, width]
    nn::Tensor frame;                            // [1, mel]: the newest
    float gate_logit = 0.0F;                     // of the newest frame
    int frames = 0;                              // so far
    StopReason stopped = StopReason::kNone;      // the newest frame is the last when set
  };

  struct PostnetState {
    std::vector<nn::Conv1d::State> convolutions;
    nn::RowQueue mel;  // rows that wait for their residual
  };

  // `checkpoint`: the state dictionary. Errors: a tensor that is missing or has another shape
  // (nn::WeightReader), wrong_shape.
  static Result<std::shared_ptr<const NvidiaTacotron2>> Load(
      const nn::WeightReader& checkpoint, nn::Precision precision = nn::Precision::kF32);
  ~NvidiaTacotron2();

  int symbols() const;       // ids are 0..symbols-1
  int speaker_size() const;  // 0: takes no speaker embedding
  int mel_bins() const;
  MelFormat mel_format() const;
  static constexpr int kPostnetLookAhead = 10;  // frames

  // ids [symbols], at least one; speaker [speaker_size]. This encoder needs no options.
  // Errors: no_symbols, symbol_unknown, speaker_embedding_size (kInvalidArgument).
  Result<Encoded> Encode(std::span<const std::int32_t> ids, std::span<const float> speaker) const;
  Result<Encoded> Encode(std::span<const std::int32_t> ids, std::span<const float> speaker,
                         DecodeOptions& /*options*/) const {
    return Encode(ids, speaker);
  }
  Generation Start(Encoded encoded, DecodeOptions options) const;
  // One more frame for each utterance; none may have stopped.
  void Step(std::span<Generation* const> group) const;

  // Decoder frames [time, mel] -> refined frames, ten frames later in a stream (all with `last`).
  PostnetState StartPostnet() const;
  void Postnet(PostnetState& state, const nn::Tensor& mel, bool last, nn::Tensor& out) const;
  // The encoder's own output without the speaker, [symbols, encoder width].
  nn::Tensor RunEncoder(std::span<const std::int32_t> ids) const;

 private:
  struct Layers;
  explicit NvidiaTacotron2(std::unique_ptr<const Layers> layers);
  std::unique_ptr<const Layers> layers_;
};

}  // namespace timbre::models
