// Mono sound in f32, nominal range -1..1. Value type.
#pragma once

#include <cstdint>
#include <vector>

namespace timbre::audio {

struct Waveform {
  int sample_rate = 0;         // Hz
  std::vector<float> samples;  // mono

  double seconds() const {
    return sample_rate > 0 ? static_cast<double>(samples.size()) / sample_rate : 0.0;
  }
};

}  // namespace timbre::audio
