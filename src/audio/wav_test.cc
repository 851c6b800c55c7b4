#include "audio/wav.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "audio/decode.h"
#include "tests/support/temporary_folder.h"

namespace timbre::audio {
namespace {

TEST(Wav, SamplesSaturateAndRound) {
  EXPECT_EQ(ToPcm16(0.0f), 0);
  EXPECT_EQ(ToPcm16(1.0f), 32767);
  EXPECT_EQ(ToPcm16(7.0f), 32767);
  EXPECT_EQ(ToPcm16(-1.0f), -32768);
  EXPECT_EQ(ToPcm16(-1e30f), -32768);
  EXPECT_EQ(ToPcm16(std::numeric_limits<float>::infinity()), 32767);
  EXPECT_EQ(ToPcm16(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(ToPcm16(1.6f / 32768.0f), 2);
  for (int value = -32768; value <= 32767; value += 7) {
    EXPECT_EQ(ToPcm16(static_cast<float>(value) / 32768.0f), value);
  }
}

TEST(Wav, HeadersHoldTrueSizesOrPlaceholders) {
  const auto bytes = EncodeWav({16000, std::vector<float>(100, 0.5f)});
  ASSERT_TRUE(bytes.has_value());
  ASSERT_EQ(bytes->size(), kWavHeaderSize + 200);
  EXPECT_EQ((*bytes)[4], 236);  // 36 + 200
  EXPECT_EQ((*bytes)[40], 200);
  const auto streamed = StreamedWavHeader(16000);
  for (const int at : {4, 5, 6, 7, 40, 41, 42, 43}) EXPECT_EQ(streamed[at], 0xFF);
}

TEST(Wav, AFileWrittenInPiecesEqualsOneWrittenAtOnce) {
  const testing::TemporaryFolder folder;
  std::vector<float> samples(5000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = std::sin(0.05f * static_cast<float>(i));
  }
  const auto path = folder.path() / "音 é.wav";
  auto writer = WavWriter::Open(path, 22050);
  ASSERT_TRUE(writer.has_value());
  for (std::size_t i = 0; i < samples.size(); i += 1000) {
    ASSERT_TRUE(writer->Append(std::span(samples).subspan(i, 1000)).has_value());
  }
  ASSERT_TRUE(writer->Close().has_value());
  std::ifstream file(path, std::ios::binary);
  const std::vector<std::uint8_t> written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(written, *EncodeWav({22050, samples}));
  const auto decoded = DecodeFile(path);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->waveform.samples.size(), samples.size());
}

TEST(Wav, WhatIsNotClosedIsRemovedAndFailuresAreSaid) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "half.wav";
  {
    auto writer = WavWriter::Open(path, 16000);
    ASSERT_TRUE(writer.has_value());
    ASSERT_TRUE(writer->Append(std::vector<float>(10, 0.0f)).has_value());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  const auto failed = WriteWav(folder.path() / "no" / "such.wav", {16000, {0.0f}});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().reason, "file_not_written");
}

}  // namespace
}  // namespace timbre::audio
