#include "audio/reference_check.h"

#include <fmt/format.h>
#include <kiss_fftr.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "audio/mel.h"
#include "audio/resample.h"
#include "audio/speaker_preprocess.h"

namespace timbre::audio {
namespace {

constexpr float kFullScale = 0.999f;
// Flat tops below full scale: so many samples in a row at the file's own extreme, which is at
// least so high.
constexpr std::size_t kFlatRun = 3;
constexpr float kFlatLevel = 0.1f;
constexpr float kFlatTolerance = 0.001f;

constexpr double kOffsetLimit = 0.002;
constexpr double kHighPassHz = 20.0;

constexpr double kNothingAbove = 1e-6;  // of the whole energy
constexpr double kSilentRms = 3.2e-5;   // -90 dBFS

constexpr double kFloorQuantile = 0.1;
constexpr float kDigitalSilence = 1e-7f;  // of the loudest frame's energy

double Mean(std::span<const float> samples) {
  double sum = 0.0;
  for (const float sample : samples) sum += sample;
  return sum / static_cast<double>(samples.size());
}

// Samples on one side (sign +1 or -1) that are at full scale or on a flat top.
std::size_t CountClipped(std::span<const float> samples, float sign) {
  float extreme = 0.0f;
  for (const float sample : samples) extreme = std::max(extreme, sign * sample);
  if (extreme < kFlatLevel) return 0;
  const float flat = extreme * (1.0f - kFlatTolerance);
  std::size_t clipped = 0;
  std::size_t run = 0;
  for (std::size_t i = 0; i <= samples.size(); ++i) {
    const bool at_top = i < samples.size() && sign * samples[i] >= flat;
    if (at_top) {
      ++run;
      if (sign * samples[i] >= kFullScale) ++clipped;
      continue;
    }
    // Where the top is full scale its samples are counted already.
    if (run >= kFlatRun && extreme < kFullScale) clipped += run;
    run = 0;
  }
  return clipped;
}

// A first-order high-pass, so that any part of the result has (nearly) no mean either.
void RemoveOffset(Waveform& waveform) {
  const double mean = Mean(waveform.samples);
  const double keep = std::exp(-2.0 * std::numbers::pi * kHighPassHz / waveform.sample_rate);
  double previous = mean;
  double filtered = 0.0;
  for (float& sample : waveform.samples) {
    filtered = sample - previous + keep * filtered;
    previous = sample;
    sample = static_cast<float>(filtered);
  }
  const auto rest = static_cast<float>(Mean(waveform.samples));
  for (float& sample : waveform.samples) sample -= rest;
}

struct FftDelete {
  void operator()(kiss_fftr_state* state) const { kiss_fftr_free(state); }
};

double Bandwidth(const Waveform& waveform) {
  constexpr int kFft = 1024;
  constexpr std::size_t kBins = kFft / 2 + 1;
  const std::unique_ptr<kiss_fftr_state, FftDelete> fft(kiss_fftr_alloc(kFft, 0, nullptr, nullptr));
  std::vector<float> window(kFft);
  for (int i = 0; i < kFft; ++i) {
    window[static_cast<std::size_t>(i)] =
        static_cast<float>(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * i / kFft));
  }
  std::vector<float> windowed(kFft);
  std::vector<kiss_fft_cpx> spectrum(kBins);
  std::vector<double> energy(kBins, 0.0);
  const std::vector<float>& samples = waveform.samples;
  for (std::size_t begin = 0; begin + kFft <= samples.size(); begin += kFft / 2) {
    for (std::size_t i = 0; i < kFft; ++i) windowed[i] = samples[begin + i] * window[i];
    kiss_fftr(fft.get(), windowed.data(), spectrum.data());
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      energy[bin] += static_cast<double>(spectrum[bin].r) * spectrum[bin].r +
                     static_cast<double>(spectrum[bin].i) * spectrum[bin].i;
    }
  }
  double total = 0.0;
  for (const double value : energy) total += value;
  double above = 0.0;
  std::size_t bin = kBins;
  while (bin > 0 && (above += energy[bin - 1]) <= kNothingAbove * total) --bin;
  return static_cast<double>(bin) * waveform.sample_rate / kFft;
}

// Speech pauses and moves through the spectrum, so each band falls to the background's level
// within a few words; music, noise and hum stay. Ratio of the mean to that floor, over all bands.
double SignalToBackground(const Waveform& waveform) {
  const MelFrames mel =
      MelSpectrogram(Ge2eMel()).Compute(Resample(waveform, kSpeakerSampleRate).samples);
  // Frames of digital silence were put there by an editor and say nothing of the background.
  std::vector<float> energies(static_cast<std::size_t>(mel.frames), 0.0f);
  float loudest = 0.0f;
  for (std::int64_t frame = 0; frame < mel.frames; ++frame) {
    float& energy = energies[static_cast<std::size_t>(frame)];
    for (const float value : mel.row(frame)) energy += value;
    loudest = std::max(loudest, energy);
  }
  double signal = 0.0;
  double background = 0.0;
  std::vector<float> levels;
  for (int band = 0; band < mel.bands; ++band) {
    levels.clear();
    double sum = 0.0;
    for (std::int64_t frame = 0; frame < mel.frames; ++frame) {
      if (energies[static_cast<std::size_t>(frame)] <= kDigitalSilence * loudest) continue;
      levels.push_back(mel.row(frame)[static_cast<std::size_t>(band)]);
      sum += levels.back();
    }
    if (levels.empty()) return 0.0;
    const auto at = levels.begin() + static_cast<std::ptrdiff_t>(
                                         kFloorQuantile * static_cast<double>(levels.size() - 1));
    std::nth_element(levels.begin(), at, levels.end());
    signal += sum / static_cast<double>(levels.size());
    background += *at;
  }
  return 10.0 * std::log10(signal / std::max(background, 1e-12 * signal));
}

DecodeLimits LimitsOf(const ReferenceRules& rules) {
  return {.min_seconds = rules.min_seconds,
          .max_seconds = rules.max_seconds,
          .max_bytes = rules.max_bytes};
}

}  // namespace

Result<Reference> CheckReference(DecodedAudio decoded, const ReferenceRules& rules) {
  Reference reference{std::move(decoded.waveform), {}};
  Waveform& waveform = reference.waveform;
  ReferenceReport& report = reference.report;
  report.warnings = std::move(decoded.warnings);
  report.seconds = waveform.seconds();
  const auto count = static_cast<double>(waveform.samples.size());

  report.dc_offset = waveform.samples.empty() ? 0.0 : Mean(waveform.samples);
  double variance = 0.0;
  for (const float sample : waveform.samples) {
    variance += (sample - report.dc_offset) * (sample - report.dc_offset);
  }
  if (waveform.samples.empty() || std::sqrt(variance / count) < kSilentRms) {
    return Fail(ErrorCode::kInvalidArgument, "audio_silent",
                "The recording ({:.2f} s) holds nothing but silence.", report.seconds);
  }

  report.clipped_share = static_cast<double>(CountClipped(waveform.samples, 1.0f) +
                                             CountClipped(waveform.samples, -1.0f)) /
                         count;
  if (report.clipped_share > rules.clipped_share) {
    report.warnings.push_back(
        {"audio_clipped", fmt::format("{:.1f} % of the samples are clipped: the recording is "
                                      "distorted, a quieter one gives a better voice.",
                                      100.0 * report.clipped_share)});
  }
  if (std::abs(report.dc_offset) > kOffsetLimit) {
    RemoveOffset(waveform);
    report.warnings.push_back(
        {"audio_dc_offset",
         fmt::format("The recording had a constant offset of {:.3f}, which was removed.",
                     report.dc_offset)});
  }
  report.bandwidth_hz = Bandwidth(waveform);
  if (report.bandwidth_hz <= rules.narrow_band_hz) {
    report.warnings.push_back(
        {"audio_narrow_band",
         fmt::format("There is nothing above {:.2g} kHz in the recording, as over a telephone; the "
                     "voice may come out dull.",
                     report.bandwidth_hz / 1000.0)});
  }
  report.signal_to_background_db = SignalToBackground(waveform);
  if (report.signal_to_background_db < rules.min_signal_to_background_db) {
    report.warnings.push_back(
        {"audio_background",
         fmt::format("There is noise or music in the background ({:.0f} dB below the speech): the "
                     "voice may not come out alike.",
                     std::max(0.0, report.signal_to_background_db))});
  }
  return reference;
}

Result<Reference> ReadReference(const std::filesystem::path& path, const ReferenceRules& rules) {
  TIMBRE_ASSIGN(DecodedAudio decoded, DecodeFile(path, LimitsOf(rules)));
  return CheckReference(std::move(decoded), rules);
}

Result<Reference> ReadReference(std::span<const std::uint8_t> bytes, const ReferenceRules& rules) {
  TIMBRE_ASSIGN(DecodedAudio decoded, DecodeBytes(bytes, LimitsOf(rules)));
  return CheckReference(std::move(decoded), rules);
}

}  // namespace timbre::audio
