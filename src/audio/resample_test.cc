#include "audio/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace timbre::audio {
namespace {

std::vector<float> Tone(double hz, int rate, std::size_t count) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    samples[i] = static_cast<float>(
        0.5 * std::sin(2.0 * std::numbers::pi * hz * static_cast<double>(i) / rate));
  }
  return samples;
}

float Peak(std::span<const float> samples) {
  float peak = 0.0f;
  for (const float sample : samples) peak = std::max(peak, std::abs(sample));
  return peak;
}

TEST(Resample, LengthIsTheNextWholeSample) {
  EXPECT_EQ(Resample(std::vector<float>(22050), 22050, 16000).size(), 16000u);
  EXPECT_EQ(Resample(std::vector<float>(126466), 22050, 16000).size(), 91767u);
  EXPECT_EQ(Resample(std::vector<float>(1), 44100, 16000).size(), 1u);
  EXPECT_EQ(Resample(std::vector<float>{}, 44100, 16000).size(), 0u);
  EXPECT_EQ(Resample(std::vector<float>(7), 16000, 16000), std::vector<float>(7));
}

TEST(Resample, PassesWhatFitsAndRemovesWhatDoesNot) {
  const std::vector<float> kept = Resample(Tone(1000, 48000, 48000), 48000, 16000);
  const std::vector<float> expected = Tone(1000, 16000, 16000);
  for (std::size_t i = 1000; i < 15000; ++i) ASSERT_NEAR(kept[i], expected[i], 1e-4) << i;
  const std::vector<float> removed = Resample(Tone(11000, 48000, 48000), 48000, 16000);
  EXPECT_LT(Peak(std::span(removed).subspan(1000, 14000)), 5e-5);  // -80 dB
}

TEST(Resample, PiecesTogetherEqualTheWhole) {
  const std::vector<float> input = Tone(700, 22050, 30000);
  const std::vector<float> whole = Resample(input, 22050, 48000);
  StreamResampler resampler(22050, 48000);
  for (int round = 0; round < 2; ++round) {  // Finish leaves it as new
    std::vector<float> output;
    for (std::size_t at = 0, piece = 1; at < input.size(); at += piece, piece = piece * 3 % 1999) {
      const std::size_t count = std::min(piece, input.size() - at);
      resampler.Push(std::span(input).subspan(at, count), output);
      piece = count;
    }
    resampler.Finish(output);
    ASSERT_EQ(output.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(output[i], whole[i], 1e-6) << i;
  }
}

}  // namespace
}  // namespace timbre::audio
