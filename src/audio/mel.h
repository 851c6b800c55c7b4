// Mel spectrograms as the models were trained on them, one preset per source. Constructed objects
// are const and shared by any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace timbre::audio {

// How the signal is extended before it is cut into frames.
enum class FramePadding {
  kZero,        // fft/2 zeros on either side (librosa 0.10, center=True)
  kReflect,     // fft/2 mirrored samples on either side
  kReflectHop,  // (fft - hop)/2 mirrored samples on either side (HiFi-GAN, "not centred")
};

enum class MelScaling {
  kNone,               // power or magnitude as it is
  kNaturalLog,         // ln(max(floor, x))
  kSymmetricDecibels,  // 20 log10(max(floor, x)) - 20, mapped from [-100, 0] dB to [-4, 4], clipped
};

struct MelConfig {
  int sample_rate = 0;  // Hz
  int fft_size = 0;
  int window_size = 0;  // periodic Hann, in the middle of the FFT
  int hop = 0;          // samples
  int bands = 0;
  double min_hz = 0.0;
  double max_hz = 0.0;
  FramePadding padding = FramePadding::kZero;
  bool power = false;           // |X|^2, else |X|
  double magnitude_bias = 0.0;  // |X| = sqrt(|X|^2 + bias)
  double peak = 0.0;            // > 0: the signal is first scaled to this absolute peak
  double preemphasis = 0.0;     // y[n] = x[n] - p x[n-1]
  MelScaling scaling = MelScaling::kNone;
  double floor = 1e-5;
};

MelConfig Ge2eMel();             // GE2E speaker encoder, 16 kHz, 40 bands, power, no log
MelConfig RtvcSynthesizerMel();  // Real-Time-Voice-Cloning, 16 kHz, 80 bands, hop 200, -4..4
MelConfig NvidiaTacotron2Mel();  // NVIDIA Tacotron 2, 22.05 kHz, 80 bands, hop 256, ln
MelConfig HifiGanMel();          // HiFi-GAN, 22.05 kHz, 80 bands, hop 256, ln

struct MelFrames {
  std::int64_t frames = 0;
  int bands = 0;
  std::vector<float> values;  // [frames, bands]

  std::span<const float> row(std::int64_t i) const {
    return {values.data() + i * bands, static_cast<std::size_t>(bands)};
  }
};

class MelSpectrogram {
 public:
  explicit MelSpectrogram(const MelConfig& config);

  const MelConfig& config() const { return config_; }
  // Frames that a signal of `samples` samples gives (centred: 1 + samples / hop).
  std::int64_t FrameCount(std::int64_t samples) const;
  // Never fails; a signal too short for its mirrored padding is extended with zeros first.
  MelFrames Compute(std::span<const float> samples) const;

 private:
  // A band's triangle, without its zeros.
  struct Band {
    int first_bin = 0;
    std::vector<float> weights;
  };
  MelConfig config_;
  std::vector<float> window_;  // [fft_size]
  std::vector<Band> filters_;  // [bands]
};

// Triangles on Slaney's mel scale with Slaney's area norm, as librosa.filters.mel makes them.
std::vector<float> SlaneyFilterbank(int sample_rate, int fft_size, int bands, double min_hz,
                                    double max_hz);  // [bands, fft_size / 2 + 1]

}  // namespace timbre::audio
