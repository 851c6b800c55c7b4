#include "audio/join.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace timbre::audio {
namespace {

// Rises from 0 to 1 over `length` samples, without touching either end.
float Rise(std::size_t i, std::size_t length) {
  const double position = (static_cast<double>(i) + 0.5) / static_cast<double>(length);
  return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * position));
}

float LargestStep(std::span<const float> samples) {
  float largest = 0.0f;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    largest = std::max(largest, std::abs(samples[i] - samples[i - 1]));
  }
  return largest;
}

}  // namespace

void AppendCrossFaded(std::vector<float>& sound, std::span<const float> next, std::size_t overlap) {
  overlap = std::min({overlap, sound.size(), next.size()});
  float* tail = sound.data() + (sound.size() - overlap);
  for (std::size_t i = 0; i < overlap; ++i) {
    const float rise = Rise(i, overlap);
    tail[i] = (1.0f - rise) * tail[i] + rise * next[i];
  }
  sound.insert(sound.end(), next.begin() + static_cast<std::ptrdiff_t>(overlap), next.end());
}

void FadeIn(std::span<float> samples, std::size_t length) {
  length = std::min(length, samples.size());
  for (std::size_t i = 0; i < length; ++i) samples[i] *= Rise(i, length);
}

void FadeOut(std::span<float> samples, std::size_t length) {
  length = std::min(length, samples.size());
  for (std::size_t i = 0; i < length; ++i) samples[samples.size() - 1 - i] *= Rise(i, length);
}

double JoinClick(std::span<const float> samples, std::size_t join, int sample_rate) {
  if (join == 0 || join >= samples.size()) return 0.0;
  const float step = std::abs(samples[join] - samples[join - 1]);
  if (step == 0.0f) return 0.0;
  const std::size_t reach = static_cast<std::size_t>(sample_rate) / 50;
  const std::size_t begin = join > reach ? join - reach : 0;
  const std::size_t end = std::min(samples.size(), join + reach);
  const float around = std::max(LargestStep(samples.subspan(begin, join - begin)),
                                LargestStep(samples.subspan(join, end - join)));
  // A step out of or into perfect silence is measured against the least a 16-bit file can hold.
  return step / std::max(around, 1.0f / 32768.0f);
}

}  // namespace timbre::audio
