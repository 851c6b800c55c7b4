#include "models/mel_format.h"

#include <cmath>

namespace timbre::models {

const char* MelScaleName(MelScale scale) {
  switch (scale) {
    case MelScale::kNaturalLog:
      return "natural log";
    case MelScale::kSymmetricDecibel:
      return "decibels on -4..4";
    case MelScale::kUnitDecibel:
      return "decibels on 0..1";
  }
  return "unknown";
}

std::string Describe(const MelFormat& format) {
  const std::string edge = format.fmax > 0 ? fmt::format(" up to {:g} Hz", format.fmax) : "";
  return fmt::format("{} Hz, hop {}, {} bins{}, {}", format.sample_rate, format.hop, format.bins,
                     edge, MelScaleName(format.scale));
}

Result<void> CheckFits(const MelFormat& synthesizer, const MelFormat& vocoder) {
  const char* differs = nullptr;
  if (synthesizer.sample_rate != vocoder.sample_rate) {
    differs = "sample rate";
  } else if (synthesizer.hop != vocoder.hop) {
    differs = "hop";
  } else if (synthesizer.bins != vocoder.bins) {
    differs = "number of bins";
  } else if (synthesizer.scale != vocoder.scale) {
    differs = "scale";
  } else if (synthesizer.fmax > 0 && vocoder.fmax > 0 &&
             std::abs(synthesizer.fmax - vocoder.fmax) > 1.0) {
    differs = "upper frequency";
  }
  if (differs == nullptr) return {};
  return Fail(ErrorCode::kInvalidArgument, "mel_format_mismatch",
              "this vocoder cannot speak this synthesizer's mel spectrogram (the {} differs): the "
              "synthesizer writes {}; the vocoder reads {}",
              differs, Describe(synthesizer), Describe(vocoder));
}

}  // namespace timbre::models
