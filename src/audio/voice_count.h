// Does more than one person speak in a recording? Decided from the speaker embeddings of its
// windows (GE2E partials of 1.6 s), so this needs no audio. Functions may run on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "audio/warning.h"

namespace timbre::audio {

struct VoiceCountRules {
  // Groups whose centres are at least this alike are one voice. With GE2E, windows of one speaker
  // split in two at the worst place still reach 0.79; two speakers' centres stay below 0.77 in 99
  // of 100 pairs.
  double same_voice_cosine = 0.78;
  int min_windows = 2;  // what a voice must hold to count; single windows are where voices meet
};

struct VoiceCount {
  int voices = 0;
  double lowest_cosine = 1.0;  // between the centres of any two voices
};

// `embeddings`: [windows, size], unit length each. Windows join their nearest group (by centre)
// until no two groups are alike enough.
VoiceCount CountVoices(std::span<const float> embeddings, std::int64_t windows, std::int64_t size,
                       const VoiceCountRules& rules = {});

// The warning audio_several_voices for more than one voice.
std::optional<Warning> SeveralVoicesWarning(const VoiceCount& count);

}  // namespace timbre::audio
