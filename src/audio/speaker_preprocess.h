// What a GE2E speaker encoder hears of a recording (Resemblyzer's and Real-Time-Voice-Cloning's
// preprocess_wav): volume raised to -30 dBFS, then everything that is not speech cut out, found by
// the WebRTC voice activity detector in 30 ms windows. Functions may run on any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audio/waveform.h"
#include "base/error.h"

namespace timbre::audio {

inline constexpr int kSpeakerSampleRate = 16000;  // Hz
inline constexpr int kVoiceActivityWindow = 480;  // samples: 30 ms

struct SpeakerAudio {
  std::vector<float> samples;        // speech only, 16 kHz
  std::vector<std::uint8_t> speech;  // per 30 ms window of the input: kept or not

  double seconds() const { return static_cast<double>(samples.size()) / kSpeakerSampleRate; }
};

// Any sample rate; resampled to 16 kHz. `min_speech_seconds` bounds what must be left.
// Errors (kInvalidArgument): audio_silent, audio_no_speech, audio_too_short (with the measured
// speech), audio_not_finite.
Result<SpeakerAudio> PreprocessSpeaker(const Waveform& waveform, double min_speech_seconds = 0.0);

// Raises the level to `target_dbfs` where it is lower (mean square; -30 by the encoder's training);
// never lowers it. Silence stays.
void RaiseVolume(std::span<float> samples, double target_dbfs = -30.0);

// The detector's raw decision for each whole window (30 ms at 16 kHz), mode 3, unsmoothed.
std::vector<std::uint8_t> VoiceActivity(std::span<const float> samples_16k);

// Moving average over 8 windows, rounded half to even, then widened by 3 windows either side.
std::vector<std::uint8_t> SmoothVoiceActivity(std::span<const std::uint8_t> raw);

}  // namespace timbre::audio
