#include "audio/mel.h"

#include <kiss_fftr.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "base/check.h"

namespace timbre::audio {
namespace {

// Slaney's mel scale (Auditory Toolbox): linear below 1 kHz, logarithmic above.
constexpr double kLinearHzPerMel = 200.0 / 3.0;
constexpr double kBreakHz = 1000.0;
constexpr double kBreakMel = kBreakHz / kLinearHzPerMel;
const double kLogStep = std::log(6.4) / 27.0;

double HzToMel(double hz) {
  return hz < kBreakHz ? hz / kLinearHzPerMel : kBreakMel + std::log(hz / kBreakHz) / kLogStep;
}

double MelToHz(double mel) {
  return mel < kBreakMel ? mel * kLinearHzPerMel
                         : kBreakHz * std::exp(kLogStep * (mel - kBreakMel));
}

struct FftDelete {
  void operator()(kiss_fftr_state* state) const { kiss_fftr_free(state); }
};

std::int64_t PaddingOf(const MelConfig& config) {
  return config.padding == FramePadding::kReflectHop ? (config.fft_size - config.hop) / 2
                                                     : config.fft_size / 2;
}

// Peak and preemphasis as asked for, then the padding on both sides.
std::vector<float> PadSignal(const MelConfig& config, std::span<const float> samples) {
  const std::int64_t padding = PaddingOf(config);
  const bool reflect = config.padding != FramePadding::kZero;
  std::int64_t length = static_cast<std::int64_t>(samples.size());
  if (reflect) length = std::max(length, padding + 1);  // what mirroring needs
  std::vector<float> padded(static_cast<std::size_t>(length + 2 * padding), 0.0f);
  float* signal = padded.data() + padding;
  std::copy(samples.begin(), samples.end(), signal);
  if (config.peak > 0.0) {
    float peak = 0.0f;
    for (const float sample : samples) peak = std::max(peak, std::abs(sample));
    const float scale = peak > 0.0f ? static_cast<float>(config.peak) / peak : 1.0f;
    for (std::int64_t i = 0; i < length; ++i) signal[i] *= scale;
  }
  if (config.preemphasis > 0.0) {
    const auto factor = static_cast<float>(config.preemphasis);
    for (std::int64_t i = length - 1; i > 0; --i) signal[i] -= factor * signal[i - 1];
  }
  if (reflect) {
    for (std::int64_t i = 1; i <= padding; ++i) {
      signal[-i] = signal[i];
      signal[length - 1 + i] = signal[length - 1 - i];
    }
  }
  return padded;
}

float Scale(const MelConfig& config, float value) {
  switch (config.scaling) {
    case MelScaling::kNone:
      return value;
    case MelScaling::kNaturalLog:
      return std::log(std::max(static_cast<float>(config.floor), value));
    case MelScaling::kSymmetricDecibels: {
      const float db =
          20.0f * std::log10(std::max(static_cast<float>(config.floor), value)) - 20.0f;
      return std::clamp(8.0f * (db + 100.0f) / 100.0f - 4.0f, -4.0f, 4.0f);
    }
  }
  return value;
}

}  // namespace

MelConfig Ge2eMel() {
  return {.sample_rate = 16000,
          .fft_size = 400,
          .window_size = 400,
          .hop = 160,
          .bands = 40,
          .min_hz = 0.0,
          .max_hz = 8000.0,
          .padding = FramePadding::kZero,
          .power = true};
}

MelConfig RtvcSynthesizerMel() {
  return {.sample_rate = 16000,
          .fft_size = 800,
          .window_size = 800,
          .hop = 200,
          .bands = 80,
          .min_hz = 55.0,
          .max_hz = 7600.0,
          .padding = FramePadding::kZero,
          .peak = 0.9,
          .preemphasis = 0.97,
          .scaling = MelScaling::kSymmetricDecibels};
}

MelConfig NvidiaTacotron2Mel() {
  return {.sample_rate = 22050,
          .fft_size = 1024,
          .window_size = 1024,
          .hop = 256,
          .bands = 80,
          .min_hz = 0.0,
          .max_hz = 8000.0,
          .padding = FramePadding::kReflect,
          .scaling = MelScaling::kNaturalLog};
}

MelConfig HifiGanMel() {
  return {.sample_rate = 22050,
          .fft_size = 1024,
          .window_size = 1024,
          .hop = 256,
          .bands = 80,
          .min_hz = 0.0,
          .max_hz = 8000.0,
          .padding = FramePadding::kReflectHop,
          .magnitude_bias = 1e-9,
          .scaling = MelScaling::kNaturalLog};
}

std::vector<float> SlaneyFilterbank(int sample_rate, int fft_size, int bands, double min_hz,
                                    double max_hz) {
  const int bins = fft_size / 2 + 1;
  std::vector<double> edges(static_cast<std::size_t>(bands) + 2);  // Hz
  const double low = HzToMel(min_hz);
  const double high = HzToMel(max_hz);
  for (int i = 0; i < bands + 2; ++i) {
    edges[static_cast<std::size_t>(i)] = MelToHz(low + (high - low) * i / (bands + 1));
  }
  std::vector<float> filters(static_cast<std::size_t>(bands) * bins);  // [bands, bins]
  for (int band = 0; band < bands; ++band) {
    const double left = edges[static_cast<std::size_t>(band)];
    const double middle = edges[static_cast<std::size_t>(band) + 1];
    const double right = edges[static_cast<std::size_t>(band) + 2];
    const double area = 2.0 / (right - left);
    for (int bin = 0; bin < bins; ++bin) {
      const double hz = static_cast<double>(bin) * sample_rate / fft_size;
      const double height =
          std::min((hz - left) / (middle - left), (right - hz) / (right - middle));
      filters[static_cast<std::size_t>(band) * bins + bin] =
          static_cast<float>(std::max(0.0, height) * area);
    }
  }
  return filters;
}

MelSpectrogram::MelSpectrogram(const MelConfig& config) : config_(config) {
  TIMBRE_CHECK(config.fft_size > 0 && config.fft_size % 2 == 0 && config.hop > 0 &&
               config.bands > 0 && config.window_size <= config.fft_size);
  window_.assign(static_cast<std::size_t>(config.fft_size), 0.0f);
  const int before = (config.fft_size - config.window_size) / 2;
  for (int i = 0; i < config.window_size; ++i) {
    window_[static_cast<std::size_t>(before + i)] =
        static_cast<float>(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * i / config.window_size));
  }
  const std::vector<float> dense = SlaneyFilterbank(config.sample_rate, config.fft_size,
                                                    config.bands, config.min_hz, config.max_hz);
  const int bins = config.fft_size / 2 + 1;
  for (int band = 0; band < config.bands; ++band) {
    const auto row = dense.begin() + static_cast<std::ptrdiff_t>(band) * bins;
    const auto filled = [](float weight) { return weight > 0.0f; };
    const auto first = std::find_if(row, row + bins, filled);
    auto last = first;
    while (last != row + bins && filled(*last)) ++last;
    filters_.push_back({static_cast<int>(first - row), std::vector<float>(first, last)});
  }
}

std::int64_t MelSpectrogram::FrameCount(std::int64_t samples) const {
  const std::int64_t padding = PaddingOf(config_);
  if (config_.padding != FramePadding::kZero) samples = std::max(samples, padding + 1);
  const std::int64_t padded = samples + 2 * padding;
  return padded < config_.fft_size ? 0 : 1 + (padded - config_.fft_size) / config_.hop;
}

MelFrames MelSpectrogram::Compute(std::span<const float> samples) const {
  const std::vector<float> padded = PadSignal(config_, samples);
  MelFrames mel;
  mel.frames = FrameCount(static_cast<std::int64_t>(samples.size()));
  mel.bands = config_.bands;
  mel.values.resize(static_cast<std::size_t>(mel.frames * mel.bands));

  const auto fft_size = static_cast<std::size_t>(config_.fft_size);
  const std::size_t bins = fft_size / 2 + 1;
  // A kissfft plan holds scratch memory, so it belongs to one call.
  const std::unique_ptr<kiss_fftr_state, FftDelete> fft(
      kiss_fftr_alloc(config_.fft_size, 0, nullptr, nullptr));
  std::vector<float> windowed(fft_size);
  std::vector<kiss_fft_cpx> spectrum(bins);
  std::vector<float> magnitude(bins);
  const auto bias = static_cast<float>(config_.magnitude_bias);
  float* out = mel.values.data();
  for (std::int64_t frame = 0; frame < mel.frames; ++frame) {
    const float* signal = padded.data() + frame * config_.hop;
    for (std::size_t i = 0; i < fft_size; ++i) windowed[i] = signal[i] * window_[i];
    kiss_fftr(fft.get(), windowed.data(), spectrum.data());
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const float power =
          spectrum[bin].r * spectrum[bin].r + spectrum[bin].i * spectrum[bin].i + bias;
      magnitude[bin] = config_.power ? power : std::sqrt(power);
    }
    for (const Band& band : filters_) {
      float sum = 0.0f;
      const float* in = magnitude.data() + band.first_bin;
      for (std::size_t i = 0; i < band.weights.size(); ++i) sum += band.weights[i] * in[i];
      *out++ = Scale(config_, sum);
    }
  }
  return mel;
}

}  // namespace timbre::audio
