// The SV2TTS family behind the contract (Jia et al., "Transfer Learning from Speaker Verification
// to Multispeaker Text-To-Speech Synthesis", 2018): GE2E speaker encoder, a mel-writing
// synthesizer, a vocoder. Thread contract: synth/synthesizer.h.
#pragma once

#include <memory>

#include "base/error.h"
#include "models/sv2tts/speaker_encoder.h"
#include "synth/sv2tts/acoustic_model.h"
#include "synth/sv2tts/vocoder.h"
#include "synth/synthesizer.h"

namespace timbre::synth {

struct Sv2ttsParts {
  std::shared_ptr<const models::SpeakerEncoder> speaker_encoder;
  std::unique_ptr<const AcousticModel> acoustic;
  std::unique_ptr<const Vocoder> vocoder;
};

// `info` brings name, languages, precision and the encoder's id; the rest is read off the parts.
// Error: mel_format_mismatch (not with `allow_mismatch`).
Result<std::shared_ptr<const Synthesizer>> MakeSv2ttsSynthesizer(Sv2ttsParts parts, ModelInfo info,
                                                                 bool allow_mismatch);

}  // namespace timbre::synth
