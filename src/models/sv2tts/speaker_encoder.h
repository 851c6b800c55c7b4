// The GE2E speaker encoder: what a voice sounds like, as one vector (Wan, Wang, Papir and Lopez
// Moreno, "Generalized End-to-End Loss for Speaker Verification", 2018). Reads the checkpoint of
// Resemblyzer (pretrained.pt) and Real-Time-Voice-Cloning (encoder.pt, pretrained.pt): three LSTM
// layers over a 40-band mel, the last hidden state through a linear layer and ReLU, unit length. An
// utterance is the mean over windows of 1.6 s ("partials").
//
// Const and shared by any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "audio/mel.h"
#include "base/error.h"
#include "nn/linear.h"
#include "nn/recurrent.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

inline constexpr int kSpeakerEmbeddingSize = 256;

// Where the partials lie.
enum class PartialRule {
  kResemblyzer,    // 1.3 partials a second (every 77 frames)
  kRtvc,           // half overlapping (every 80 frames)
  kWholeUtterance  // one pass over everything (RTVC with partials off)
};

struct SpeakerEmbedding {
  std::vector<float> utterance;  // [256], unit length
  nn::Tensor partials;           // [partials, 256], unit length each; of the partials that respond
};

class SpeakerEncoder {
 public:
  // `reader` reads the checkpoint's state dict. Errors: the reader's, naming the tensor.
  static Result<std::shared_ptr<const SpeakerEncoder>> Load(const nn::WeightReader& reader);

  // `samples`: 16 kHz, speech only (audio/speaker_preprocess.h). Errors (kInvalidArgument):
  // audio_too_short for no samples; audio_unusable when the net does not respond to the sound.
  Result<SpeakerEmbedding> Embed(std::span<const float> samples,
                                 PartialRule rule = PartialRule::kResemblyzer) const;

  // First frames of the partials of a signal with this many samples (not kWholeUtterance).
  static std::vector<std::int64_t> PartialStarts(std::int64_t samples, PartialRule rule);

 private:
  explicit SpeakerEncoder(nn::WeightReader reader);

  // Unit vectors of equally long windows of `mel`: [starts, 256]; rows are zero where the net does
  // not respond.
  nn::Tensor EmbedWindows(const audio::MelFrames& mel, std::span<const std::int64_t> starts,
                          std::int64_t frames, float epsilon) const;

  audio::MelSpectrogram mel_;
  nn::Lstm lstm_l0_, lstm_l1_, lstm_l2_;
  nn::Linear linear_;
};

}  // namespace timbre::models
