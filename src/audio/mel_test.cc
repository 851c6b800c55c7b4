#include "audio/mel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace timbre::audio {
namespace {

TEST(Mel, FrameCountsAreTheirSources) {
  EXPECT_EQ(MelSpectrogram(Ge2eMel()).FrameCount(25600), 161);
  EXPECT_EQ(MelSpectrogram(RtvcSynthesizerMel()).FrameCount(32000), 161);
  EXPECT_EQ(MelSpectrogram(NvidiaTacotron2Mel()).FrameCount(44100), 173);
  EXPECT_EQ(MelSpectrogram(HifiGanMel()).FrameCount(44100), 172);
}

TEST(Mel, ShortAndSilentSignalsGiveTheFloor) {
  for (const MelConfig& config :
       {Ge2eMel(), RtvcSynthesizerMel(), NvidiaTacotron2Mel(), HifiGanMel()}) {
    const MelSpectrogram spectrogram(config);
    for (const std::size_t length : {0u, 1u, 100u, 2000u}) {
      const MelFrames mel = spectrogram.Compute(std::vector<float>(length, 0.0f));
      EXPECT_EQ(mel.frames, spectrogram.FrameCount(static_cast<std::int64_t>(length)));
      EXPECT_EQ(mel.values.size(), static_cast<std::size_t>(mel.frames * mel.bands));
      ASSERT_FALSE(mel.values.empty());
      const auto [low, high] = std::minmax_element(mel.values.begin(), mel.values.end());
      EXPECT_NEAR(*low, *high, 1e-6);
    }
  }
}

TEST(Mel, AToneStandsInItsBand) {
  std::vector<float> samples(16000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = std::sin(2.0f * 3.14159265f * 1000.0f * static_cast<float>(i) / 16000.0f);
  }
  const MelFrames mel = MelSpectrogram(Ge2eMel()).Compute(samples);
  const auto row = mel.row(50);
  const auto loudest = std::max_element(row.begin(), row.end()) - row.begin();
  // 0..8 kHz are 0..45.2 mel in 41 steps of 1.1; 1 kHz is 15 mel.
  EXPECT_NEAR(static_cast<double>(loudest), 15.0 / 45.245 * 41.0 - 1.0, 0.6);
}

}  // namespace
}  // namespace timbre::audio
