// Is a recording usable as the reference of a voice, and what should its owner know about it?
// Functions may run on any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "audio/decode.h"
#include "audio/warning.h"
#include "audio/waveform.h"
#include "base/error.h"

namespace timbre::audio {

struct ReferenceRules {
  double min_seconds = 1.0;   // of recording; shorter is refused (audio_too_short)
  double max_seconds = 60.0;  // longer is refused (audio_too_long)
  std::int64_t max_bytes = 64 << 20;
  double clipped_share = 0.002;               // more is warned about
  double narrow_band_hz = 4200.0;             // nothing above: warned about
  double min_signal_to_background_db = 20.0;  // less is warned about
};

struct ReferenceReport {
  double seconds = 0.0;
  double clipped_share = 0.0;            // samples at the limit, 0..1
  double dc_offset = 0.0;                // mean of the recording as it came
  double bandwidth_hz = 0.0;             // above it lies less than a millionth of the energy
  double signal_to_background_db = 0.0;  // mean level over what never stops (noise, hum, music)
  std::vector<Warning> warnings;         // of the decoder, then audio_clipped, audio_dc_offset,
                                         // audio_narrow_band, audio_background
};

struct Reference {
  Waveform waveform;  // the source's rate; offset removed where there was one
  ReferenceReport report;
};

// Decodes and checks. Errors: those of decode.h, and audio_silent (kInvalidArgument).
Result<Reference> ReadReference(const std::filesystem::path& path,
                                const ReferenceRules& rules = {});
Result<Reference> ReadReference(std::span<const std::uint8_t> bytes,
                                const ReferenceRules& rules = {});
// The check alone, for sound that is already decoded.
Result<Reference> CheckReference(DecodedAudio decoded, const ReferenceRules& rules = {});

}  // namespace timbre::audio
