#include "audio/speaker_preprocess.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "audio/resample.h"
#include "base/check.h"

extern "C" {
#include "webrtc/common_audio/vad/include/webrtc_vad.h"
}

namespace timbre::audio {
namespace {

constexpr int kAggressiveMode = 3;
constexpr int kSmoothingWidth = 8;  // windows
constexpr int kDilation = 3;        // windows either side
// Below this (-90 dBFS) raising the volume would only raise dither and rounding.
constexpr double kSilentRms = 3.2e-5;

struct VadFree {
  void operator()(VadInst* handle) const { WebRtcVad_Free(handle); }
};

double MeanSquare(std::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples) sum += static_cast<double>(sample) * sample;
  return samples.empty() ? 0.0 : sum / static_cast<double>(samples.size());
}

std::int16_t ToDetectorSample(float sample) {
  // The originals wrap here after the gain when a quiet recording has one loud peak; we saturate.
  return static_cast<std::int16_t>(
      std::clamp(std::nearbyint(sample * 32767.0f), -32768.0f, 32767.0f));
}

}  // namespace

void RaiseVolume(std::span<float> samples, double target_dbfs) {
  const double mean_square = MeanSquare(samples);
  if (mean_square <= 0.0) return;
  const double change_db = target_dbfs - 10.0 * std::log10(mean_square);
  if (change_db <= 0.0) return;
  const auto gain = static_cast<float>(std::pow(10.0, change_db / 20.0));
  for (float& sample : samples) sample *= gain;
}

std::vector<std::uint8_t> VoiceActivity(std::span<const float> samples_16k) {
  VadInst* created = nullptr;
  TIMBRE_CHECK(WebRtcVad_Create(&created) == 0);
  const std::unique_ptr<VadInst, VadFree> vad(created);
  TIMBRE_CHECK(WebRtcVad_Init(created) == 0 && WebRtcVad_set_mode(created, kAggressiveMode) == 0);
  const std::size_t windows = samples_16k.size() / kVoiceActivityWindow;
  std::vector<std::uint8_t> flags(windows);
  std::int16_t window[kVoiceActivityWindow];
  for (std::size_t i = 0; i < windows; ++i) {
    std::transform(&samples_16k[i * kVoiceActivityWindow],
                   &samples_16k[i * kVoiceActivityWindow] + kVoiceActivityWindow, window,
                   ToDetectorSample);
    const int active = WebRtcVad_Process(created, kSpeakerSampleRate, window, kVoiceActivityWindow);
    TIMBRE_CHECK(active >= 0);
    flags[i] = active == 1;
  }
  return flags;
}

std::vector<std::uint8_t> SmoothVoiceActivity(std::span<const std::uint8_t> raw) {
  const auto count = static_cast<std::ptrdiff_t>(raw.size());
  std::vector<std::uint8_t> kept(raw.size());
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    // The average covers 3 windows before to 4 after; exactly one half rounds to even, so to 0.
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, i - (kSmoothingWidth - 1) / 2);
    const std::ptrdiff_t end = std::min(count, i + kSmoothingWidth / 2 + 1);
    const auto active = std::count_if(raw.begin() + begin, raw.begin() + end,
                                      [](std::uint8_t flag) { return flag != 0; });
    if (active <= kSmoothingWidth / 2) continue;
    const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, i - kDilation);
    const std::ptrdiff_t last = std::min(count - 1, i + kDilation);
    std::fill(kept.begin() + first, kept.begin() + last + 1, std::uint8_t{1});
  }
  return kept;
}

Result<SpeakerAudio> PreprocessSpeaker(const Waveform& waveform, double min_speech_seconds) {
  if (!std::all_of(waveform.samples.begin(), waveform.samples.end(),
                   [](float sample) { return std::isfinite(sample); })) {
    return Fail(ErrorCode::kInvalidArgument, "audio_not_finite",
                "The recording has samples that are no numbers.");
  }
  std::vector<float> samples = Resample(waveform.samples, waveform.sample_rate, kSpeakerSampleRate);
  if (std::sqrt(MeanSquare(samples)) < kSilentRms) {
    return Fail(ErrorCode::kInvalidArgument, "audio_silent",
                "The recording ({:.2f} s) holds nothing but silence.", waveform.seconds());
  }
  RaiseVolume(samples);

  SpeakerAudio audio;
  audio.speech = SmoothVoiceActivity(VoiceActivity(samples));
  for (std::size_t i = 0; i < audio.speech.size(); ++i) {
    if (audio.speech[i] == 0) continue;
    const auto window = samples.begin() + static_cast<std::ptrdiff_t>(i * kVoiceActivityWindow);
    audio.samples.insert(audio.samples.end(), window, window + kVoiceActivityWindow);
  }
  if (audio.samples.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "audio_no_speech",
                "No speech was found in the recording ({:.2f} s).", waveform.seconds());
  }
  if (audio.seconds() < min_speech_seconds) {
    return Fail(ErrorCode::kInvalidArgument, "audio_too_short",
                "The recording ({:.2f} s) holds {:.2f} s of speech; at least {:.4g} s are needed.",
                waveform.seconds(), audio.seconds(), min_speech_seconds);
  }
  return audio;
}

}  // namespace timbre::audio
