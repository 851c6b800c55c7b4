#include "audio/speaker_preprocess.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "audio/decode.h"

namespace timbre::audio {
namespace {

std::string Reason(const Result<SpeakerAudio>& result) {
  return result ? "no error" : result.error().reason;
}

TEST(SpeakerPreprocess, SmoothingAveragesThenWidens) {
  using Flags = std::vector<std::uint8_t>;
  EXPECT_EQ(SmoothVoiceActivity(Flags{}), Flags{});
  // Four of eight are exactly one half, which rounds to 0; five are speech.
  Flags raw(30, 0);
  for (int i = 10; i < 14; ++i) raw[i] = 1;
  EXPECT_EQ(SmoothVoiceActivity(raw), Flags(30, 0));
  raw[14] = 1;  // windows whose i-3 .. i+4 hold all five: 10 .. 13; widened by 3
  Flags expected(30, 0);
  for (int i = 7; i <= 16; ++i) expected[i] = 1;
  EXPECT_EQ(SmoothVoiceActivity(raw), expected);
}

TEST(SpeakerPreprocess, VolumeIsRaisedNeverLowered) {
  std::vector<float> loud = {0.5f, -0.5f};
  RaiseVolume(loud);
  EXPECT_EQ(loud, (std::vector<float>{0.5f, -0.5f}));
  std::vector<float> quiet = {1e-4f, -1e-4f};
  RaiseVolume(quiet);
  EXPECT_NEAR(quiet[0], std::pow(10.0, -30.0 / 20.0), 1e-6);
  std::vector<float> silent(10, 0.0f);
  RaiseVolume(silent);
  EXPECT_EQ(silent, std::vector<float>(10, 0.0f));
}

TEST(SpeakerPreprocess, WhatHoldsNoSpeechIsRefused) {
  EXPECT_EQ(Reason(PreprocessSpeaker({16000, {}})), "audio_silent");
  EXPECT_EQ(Reason(PreprocessSpeaker({16000, std::vector<float>(32000, 0.0f)})), "audio_silent");
  std::vector<float> click(32000, 0.0f);
  click[16000] = 0.9f;
  EXPECT_EQ(Reason(PreprocessSpeaker({16000, click})), "audio_no_speech");
  click[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Reason(PreprocessSpeaker({16000, click})), "audio_not_finite");
}

TEST(SpeakerPreprocess, LoudPeaksSaturateInsteadOfWrapping) {
  // Quiet speech with one loud click: the gain lifts the click beyond 16 bits.
  const auto decoded = DecodeFile(std::filesystem::path(TIMBRE_SOURCE_DIR) /
                                  "tests/cases/speech_over_music_0dB.wav");
  ASSERT_TRUE(decoded.has_value());
  Waveform quiet = decoded->waveform;
  for (float& sample : quiet.samples) sample *= 0.003f;
  const auto without = PreprocessSpeaker(quiet);
  quiet.samples[100] = 0.05f;
  const auto with = PreprocessSpeaker(quiet);
  ASSERT_TRUE(without.has_value() && with.has_value());
  EXPECT_NEAR(with->seconds(), without->seconds(), 0.5);
  for (const float sample : with->samples) ASSERT_TRUE(std::isfinite(sample));
}

TEST(SpeakerPreprocess, TooLittleSpeechNamesWhatWasMeasured) {
  const auto decoded =
      DecodeFile(std::filesystem::path(TIMBRE_SOURCE_DIR) / "tests/cases/short_half_second.wav");
  ASSERT_TRUE(decoded.has_value());
  const auto audio = PreprocessSpeaker(decoded->waveform, 1.0);
  ASSERT_EQ(Reason(audio), "audio_too_short");
  EXPECT_NE(audio.error().message.find("(0.50 s)"), std::string::npos) << audio.error().message;
  EXPECT_NE(audio.error().message.find("at least 1 s"), std::string::npos);
}

}  // namespace
}  // namespace timbre::audio
