// The seam between the mel-writing synthesizers of the SV2TTS family (Non-Attentive Tacotron,
// NVIDIA Tacotron 2, Real-Time-Voice-Cloning's and MockingBird's) and the vocoders: one adapter
// per model, which turns a text::Piece into the model's own symbols and its decoder's steps into
// refined mel rows as soon as they are known.
//
// An AcousticModel is const and shared; an AcousticUtterance belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"
#include "models/mel_format.h"
#include "nn/tensor.h"
#include "synth/synthesizer.h"
#include "text/analysis.h"

namespace timbre::synth {

// Decoder state of one piece; each adapter adds its own.
struct AcousticUtterance {
  virtual ~AcousticUtterance() = default;
  std::int64_t frames = 0;   // decoded so far
  bool decoded = false;      // no more frames will come
  bool cut = false;          // ended by a limit or guard
};

class AcousticModel {
 public:
  virtual ~AcousticModel() = default;

  virtual const char* kind() const = 0;
  virtual models::MelFormat mel_format() const = 0;
  virtual bool needs_phones() const = 0;
  // Rows that Refine holds back while the decoder runs.
  virtual std::int64_t look_ahead() const = 0;

  // Errors: piece_not_speakable, and those of the model (speaker size).
  virtual Result<std::unique_ptr<AcousticUtterance>> Start(const text::Piece& piece,
                                                           std::span<const float> speaker,
                                                           const SpeakOptions& options) const = 0;
  // One decoder step of each; none may be decoded. All were started by this model.
  virtual void Step(std::span<AcousticUtterance* const> utterances) const = 0;
  // `mel` becomes the rows newly known, [rows, bins]: all the rest once decoded.
  virtual void Refine(AcousticUtterance& utterance, nn::Tensor& mel) const = 0;
};

}  // namespace timbre::synth
