#include "synth/sv2tts/mel_stretch.h"

#include <gtest/gtest.h>

namespace timbre::synth {
namespace {

nn::Tensor Ramp(std::int64_t begin, std::int64_t end) {
  nn::Tensor mel(end - begin, 2);
  for (std::int64_t t = begin; t < end; ++t) {
    mel.at(t - begin, 0) = static_cast<float>(t);
    mel.at(t - begin, 1) = static_cast<float>(-2 * t);
  }
  return mel;
}

// A ramp read at another pace is a ramp of another slope, whatever the chunks.
TEST(MelStretch, ReadsRowsAtAnotherPace) {
  for (const float speed : {0.5F, 0.8F, 1.3F, 2.0F}) {
    MelStretch stretch(speed);
    nn::Tensor all;
    for (std::int64_t begin = 0; begin < 40; begin += 7) {
      const std::int64_t end = std::min<std::int64_t>(begin + 7, 40);
      nn::Tensor mel = Ramp(begin, end);
      stretch.Apply(mel, end == 40);
      all.AppendRows(mel);
    }
    ASSERT_NEAR(static_cast<double>(all.rows()), 40 / speed, 1.0);
    for (std::int64_t t = 0; t < all.rows(); ++t) {
      const float expected = std::min(static_cast<float>(t) * speed, 39.0F);
      EXPECT_NEAR(all.at(t, 0), expected, 1e-4);
      EXPECT_NEAR(all.at(t, 1), -2 * expected, 1e-4);
    }
  }
}

TEST(MelStretch, SpeedOnePassesRowsAtOnce) {
  MelStretch stretch(1.0F);
  nn::Tensor mel = Ramp(0, 3);
  stretch.Apply(mel, false);
  EXPECT_EQ(mel.rows(), 3);
}

}  // namespace
}  // namespace timbre::synth
