// Does more than one person speak in a recording? Decided from the speaker embeddings of its
// windows (GE2E partials), so this needs no audio. Functions may run on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "audio/warning.h"

namespace timbre::audio {

struct VoiceCountRules {
  double same_voice_cosine = 0.75;  // groups whose centres are at least this alike are one voice
  int min_windows = 2;              // a voice must hold this many windows to count
};

struct VoiceCount {
  int voices = 0;
  double lowest_cosine = 1.0;  // between the centres of the voices found
};

// `embeddings`: [windows, size], unit length each.
VoiceCount CountVoices(std::span<const float> embeddings, std::int64_t windows, std::int64_t size,
                       const VoiceCountRules& rules = {});

// The warning audio_several_voices for more than one voice.
std::optional<Warning> SeveralVoicesWarning(const VoiceCount& count);

}  // namespace timbre::audio
