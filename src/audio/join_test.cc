#include "audio/join.h"

#include <gtest/gtest.h>

#include <cmath>

namespace timbre::audio {
namespace {

std::vector<float> Tone(std::size_t count, float phase = 0.0f) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    samples[i] = 0.5f * std::sin(phase + 0.1f * static_cast<float>(i));
  }
  return samples;
}

TEST(Join, CrossFadeOfEqualSoundsChangesNothing) {
  const std::vector<float> whole = Tone(1000);
  std::vector<float> sound(whole.begin(), whole.begin() + 600);
  AppendCrossFaded(sound, std::span(whole).subspan(500), 100);
  ASSERT_EQ(sound.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(sound[i], whole[i], 1e-6);
}

TEST(Join, OverlapIsCutToWhatIsThere) {
  std::vector<float> sound = {1.0f};
  AppendCrossFaded(sound, std::vector<float>{1.0f, 1.0f, 1.0f}, 100);
  EXPECT_EQ(sound, (std::vector<float>{1.0f, 1.0f, 1.0f}));
  std::vector<float> empty;
  AppendCrossFaded(empty, std::vector<float>{1.0f}, 5);
  EXPECT_EQ(empty, std::vector<float>{1.0f});
}

TEST(Join, AClickIsFoundAndACrossFadeHasNone) {
  std::vector<float> hard = Tone(1000);
  const std::vector<float> other = Tone(1000, 3.0f);
  hard.insert(hard.end(), other.begin(), other.end());
  EXPECT_GT(JoinClick(hard, 1000, 16000), 3.0);
  std::vector<float> soft = Tone(1000);
  AppendCrossFaded(soft, other, 200);
  for (std::size_t i = 800; i <= 1000; ++i) EXPECT_LT(JoinClick(soft, i, 16000), 3.0);
  EXPECT_LE(JoinClick(Tone(1000), 500, 16000), 1.01);
  EXPECT_EQ(JoinClick(std::vector<float>(100, 0.0f), 50, 16000), 0.0);
  std::vector<float> start(100, 0.0f);
  std::fill(start.begin() + 50, start.end(), 0.3f);
  EXPECT_GT(JoinClick(start, 50, 16000), 3.0);
}

TEST(Join, FadesEndAtNothing) {
  std::vector<float> sound(100, 1.0f);
  FadeIn(sound, 10);
  FadeOut(sound, 1000);
  EXPECT_LT(sound.front(), 0.02f);
  EXPECT_LT(sound.back(), 0.001f);
}

}  // namespace
}  // namespace timbre::audio
