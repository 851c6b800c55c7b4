#include "audio/decode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <thread>

#include "audio/wav.h"

namespace timbre::audio {
namespace {

std::filesystem::path Case(const char* name) {
  return std::filesystem::path(TIMBRE_SOURCE_DIR) / "tests/cases" / name;
}

std::vector<std::uint8_t> Bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::uint8_t> Tone(int rate, double seconds) {
  Waveform wave{rate, {}};
  for (int i = 0; i < rate * seconds; ++i) {
    wave.samples.push_back(
        static_cast<float>(0.5 * std::sin(2.0 * std::numbers::pi * 440.0 * i / rate)));
  }
  return *EncodeWav(wave);
}

// A WAV around raw sample bytes.
std::vector<std::uint8_t> WavOf(int format, int channels, int bits, int rate,
                                const std::vector<std::uint8_t>& data) {
  std::vector<std::uint8_t> bytes = Tone(rate, 0.0);
  const auto put = [&](std::size_t at, std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  };
  put(4, static_cast<std::uint32_t>(36 + data.size()), 4);
  put(20, static_cast<std::uint32_t>(format), 2);
  put(22, static_cast<std::uint32_t>(channels), 2);
  put(28, static_cast<std::uint32_t>(rate * channels * bits / 8), 4);
  put(32, static_cast<std::uint32_t>(channels * bits / 8), 2);
  put(34, static_cast<std::uint32_t>(bits), 2);
  put(40, static_cast<std::uint32_t>(data.size()), 4);
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

std::string Reason(const Result<DecodedAudio>& result) {
  return result ? "no error" : result.error().reason;
}

TEST(Decode, WritingAndReadingSixteenBitsLosesNothing) {
  const std::vector<std::uint8_t> bytes = Tone(22050, 0.3);
  const auto decoded = DecodeBytes(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->container, "wav");
  EXPECT_EQ(decoded->codec, "pcm_s16le");
  EXPECT_EQ(decoded->channels, 1);
  EXPECT_TRUE(decoded->warnings.empty());
  EXPECT_EQ(*EncodeWav(decoded->waveform), bytes);
}

TEST(Decode, ChannelsAreAveraged) {
  std::vector<std::uint8_t> data;
  for (int i = 0; i < 1600; ++i) AppendPcm16(std::vector<float>{0.5f, -0.25f}, data);
  const auto decoded = DecodeBytes(WavOf(1, 2, 16, 16000, data));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->channels, 2);
  ASSERT_EQ(decoded->waveform.samples.size(), 1600u);
  for (const float sample : decoded->waveform.samples) EXPECT_FLOAT_EQ(sample, 0.125f);
}

TEST(Decode, FloatSamplesThatAreNoNumbersBecomeZero) {
  const float values[] = {0.5f, std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(), -3e30f, -0.5f};
  std::vector<std::uint8_t> data(sizeof(values));
  std::memcpy(data.data(), values, sizeof(values));
  const auto decoded = DecodeBytes(WavOf(3, 1, 32, 16000, data));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->waveform.samples, (std::vector<float>{0.5f, 0.0f, 0.0f, 0.0f, -0.5f}));
  ASSERT_EQ(decoded->warnings.size(), 1u);
  EXPECT_EQ(decoded->warnings[0].reason, "audio_not_finite");
}

TEST(Decode, ACutWavGivesWhatIsThereWithAWarning) {
  std::vector<std::uint8_t> bytes = Tone(16000, 2.0);
  bytes.resize(bytes.size() / 2);
  const auto decoded = DecodeBytes(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_NEAR(decoded->waveform.seconds(), 1.0, 0.01);
  ASSERT_EQ(decoded->warnings.size(), 1u);
  EXPECT_EQ(decoded->warnings[0].reason, "audio_truncated");
  EXPECT_EQ(decoded->warnings[0].message, "The file ends early: 1.00 s of 2.00 s are there.");
}

TEST(Decode, EveryPlaceholderForAnUnknownLengthIsRead) {
  for (const std::uint32_t size : {0xFFFFFFFFu, 0x7FFFFFFFu, 0x7FFFF000u, 0xFFFFFFDBu, 0u}) {
    std::vector<std::uint8_t> bytes = Tone(16000, 1.0);
    for (int i = 0; i < 4; ++i) bytes[40 + i] = static_cast<std::uint8_t>(size >> (8 * i));
    const auto decoded = DecodeBytes(bytes);
    ASSERT_TRUE(decoded.has_value()) << size << " " << decoded.error().message;
    EXPECT_EQ(decoded->waveform.samples.size(), 16000u) << size;
    EXPECT_TRUE(decoded->warnings.empty()) << size;
  }
}

TEST(Decode, AnId3TagFullOfPicturesIsSkipped) {
  // Two megabytes of tag before the MP3 frames: size in 7-bit bytes.
  std::vector<std::uint8_t> bytes = {'I', 'D', '3', 4, 0, 0, 0x01, 0, 0, 0};
  bytes.resize(10 + (1u << 21));
  const std::vector<std::uint8_t> mp3 = Bytes(Case("speech_48k_stereo.mp3"));
  bytes.insert(bytes.end(), mp3.begin(), mp3.end());
  const auto decoded = DecodeBytes(bytes);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_NEAR(decoded->waveform.seconds(), 5.0, 0.06);
}

TEST(Decode, OnlySoundIsReadAndNothingElseIsOpened) {
  const auto refused = [](std::string_view text) {
    return Reason(DecodeBytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  };
  EXPECT_EQ(refused("ffconcat version 1.0\nfile /etc/hostname\n"), "audio_unsupported");
  EXPECT_EQ(refused("#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n"),
            "audio_unsupported");
  EXPECT_EQ(refused("\x89PNG\r\n\x1a\n and so on"), "audio_unsupported");
  EXPECT_EQ(refused(std::string(100000, '\0')), "audio_unsupported");
  EXPECT_EQ(refused("x"), "audio_unsupported");
}

TEST(Decode, LimitsNameWhatWasMeasured) {
  const std::vector<std::uint8_t> bytes = Tone(16000, 2.0);
  DecodeLimits limits{.min_seconds = 3.0, .max_seconds = 30.0};
  auto decoded = DecodeBytes(bytes, limits);
  EXPECT_EQ(Reason(decoded), "audio_too_short");
  EXPECT_EQ(decoded.error().message, "The recording is 2.00 s long; 3 to 30 s are accepted.");
  limits = {.min_seconds = 0.5, .max_seconds = 1.5};
  decoded = DecodeBytes(bytes, limits);
  EXPECT_EQ(Reason(decoded), "audio_too_long");
  EXPECT_EQ(decoded.error().code, ErrorCode::kTooLarge);
  limits = {.max_bytes = 1000};
  EXPECT_EQ(Reason(DecodeBytes(bytes, limits)), "audio_file_too_large");
  limits = {.max_decode_seconds = -1.0};
  EXPECT_EQ(Reason(DecodeBytes(bytes, limits)), "audio_decode_slow");
}

TEST(Decode, WhatIsNoFileIsNotFound) {
  EXPECT_EQ(Reason(DecodeFile("/no/such/file.wav")), "audio_not_found");
  EXPECT_EQ(Reason(DecodeFile("/")), "audio_not_found");
  EXPECT_EQ(Reason(DecodeFile("/dev/zero")), "audio_not_found");
}

TEST(Decode, ThreadsDecodeAtOnce) {
  const char* const names[] = {"speech.m4a", "speech_44k.flac", "speech_48k_stereo.mp3",
                               "pcm24_extensible_oddchunk.wav"};
  std::vector<std::vector<float>> alone;
  for (const char* name : names) alone.push_back(DecodeFile(Case(name))->waveform.samples);
  std::vector<std::jthread> threads;
  std::vector<int> equal(8, 0);
  for (std::size_t i = 0; i < equal.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto decoded = DecodeFile(Case(names[i % 4]));
      equal[i] = decoded && decoded->waveform.samples == alone[i % 4];
    });
  }
  threads.clear();
  EXPECT_EQ(equal, std::vector<int>(8, 1));
}

}  // namespace
}  // namespace timbre::audio
