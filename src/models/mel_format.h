// What a mel spectrogram's numbers mean. A synthesizer states what it writes and a vocoder what it
// reads; a pair that does not agree would only make noise, so it is refused with the reason.
#pragma once

#include <string>

#include "base/error.h"

namespace timbre::models {

enum class MelScale {
  kNaturalLog,        // ln(max(1e-5, magnitude)): HiFi-GAN, NVIDIA Tacotron 2, our own models
  kSymmetricDecibel,  // pre-emphasis, then decibels on -4..4: Real-Time-Voice-Cloning, MockingBird
  kUnitDecibel,       // decibels on 0..1: fatchord's WaveRNN
};

const char* MelScaleName(MelScale scale);

struct MelFormat {
  int sample_rate = 0;  // Hz
  int hop = 0;          // samples per frame
  int bins = 0;
  double fmax = 0.0;  // upper edge of the filter bank in Hz; 0 when the model does not say
  MelScale scale = MelScale::kNaturalLog;

  double frames_per_second() const { return hop > 0 ? static_cast<double>(sample_rate) / hop : 0; }
};

// "22050 Hz, hop 256, 80 bins up to 8000 Hz, natural log"
std::string Describe(const MelFormat& format);

// Nothing when `vocoder` can speak what `synthesizer` writes, else kInvalidArgument with reason
// "mel_format_mismatch", naming the first thing that differs and both formats.
Result<void> CheckFits(const MelFormat& synthesizer, const MelFormat& vocoder);

}  // namespace timbre::models
