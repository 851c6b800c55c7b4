// The failure cases D15 to D19 at this room's level (tests/cases/README.md lists the recordings).
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

#include "audio/decode.h"
#include "audio/reference_check.h"
#include "audio/resample.h"
#include "audio/speaker_preprocess.h"

namespace timbre::audio {
namespace {

std::filesystem::path Case(const char* name) {
  return std::filesystem::path(TIMBRE_SOURCE_DIR) / "tests/cases" / name;
}

bool Warns(const Reference& reference, const std::string& reason, const std::string& text) {
  return std::any_of(reference.report.warnings.begin(), reference.report.warnings.end(),
                     [&](const Warning& warning) {
                       return warning.reason == reason &&
                              warning.message.find(text) != std::string::npos;
                     });
}

// Highest normalised correlation of two signals when one is moved by up to `reach` samples.
double BestCorrelation(std::span<const float> a, std::span<const float> b, int reach) {
  double best = -1.0;
  for (int shift = -reach; shift <= reach; ++shift) {
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (std::size_t i = static_cast<std::size_t>(reach); i + reach < std::min(a.size(), b.size());
         ++i) {
      const double x = a[i];
      const double y = b[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + shift)];
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    best = std::max(best, ab / std::sqrt(aa * bb));
  }
  return best;
}

long PeakMemoryMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(Cases, D15TooShortReferenceAndDecompressionBomb) {
  const auto tiny = ReadReference(Case("short_half_second.wav"));
  ASSERT_FALSE(tiny.has_value());
  EXPECT_EQ(tiny.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(tiny.error().reason, "audio_too_short");
  EXPECT_EQ(tiny.error().message, "The recording is 0.50 s long; 1 to 60 s are accepted.");

  const long before = PeakMemoryMegabytes();
  const std::clock_t start = std::clock();  // CPU time: others on this machine do not count
  const auto bomb = ReadReference(Case("bomb_1h.flac"));
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  ASSERT_FALSE(bomb.has_value());
  EXPECT_EQ(bomb.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(bomb.error().reason, "audio_too_long");
  EXPECT_NE(bomb.error().message.find("1 to 60 s are accepted"), std::string::npos);
  EXPECT_LT(took, 2.0);
  EXPECT_LT(PeakMemoryMegabytes() - before, 100);
}

TEST(Cases, D16CompressedContainers) {
  const auto clean = DecodeFile(Case("ref_clean_m.wav"));
  ASSERT_TRUE(clean.has_value());
  const Waveform expected = Resample(clean->waveform, 16000);
  for (const char* name : {"speech_48k_stereo.mp3", "speech.m4a", "speech_44k.flac"}) {
    SCOPED_TRACE(name);
    const auto reference = ReadReference(Case(name));
    ASSERT_TRUE(reference.has_value()) << reference.error().message;
    EXPECT_NEAR(reference->report.seconds, 5.0, 0.06);
    EXPECT_TRUE(reference->report.warnings.empty());
    const Waveform ours = Resample(reference->waveform, 16000);
    EXPECT_GT(BestCorrelation(expected.samples, ours.samples, 30), 0.9);
  }
}

TEST(Cases, D17PcmVariants) {
  const auto clean = DecodeFile(Case("ref_clean_m.wav"));
  ASSERT_TRUE(clean.has_value());
  const auto wide = ReadReference(Case("pcm24_extensible_oddchunk.wav"));
  ASSERT_TRUE(wide.has_value()) << wide.error().message;
  ASSERT_EQ(wide->waveform.samples.size(), 96000u);  // 4.00 s
  double difference = 0.0, signal = 0.0;
  for (std::size_t i = 0; i < wide->waveform.samples.size(); ++i) {
    const double expected = clean->waveform.samples[i];
    difference += std::pow(wide->waveform.samples[i] - expected, 2);
    signal += expected * expected;
  }
  EXPECT_LT(10.0 * std::log10(difference / signal + 1e-30), -80.0);

  const auto telephone = ReadReference(Case("telephone_8k_mulaw.wav"));
  ASSERT_TRUE(telephone.has_value()) << telephone.error().message;
  EXPECT_NEAR(telephone->report.seconds, 5.0, 0.005);
  EXPECT_TRUE(Warns(*telephone, "audio_narrow_band", "nothing above 4 kHz"));
  const Waveform expected = Resample(clean->waveform, 8000);
  EXPECT_GT(BestCorrelation(expected.samples, telephone->waveform.samples, 30), 0.9);
}

TEST(Cases, D18BrokenFiles) {
  const auto empty = ReadReference(Case("empty.wav"));
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(empty.error().reason, "audio_empty");
  const auto text = ReadReference(Case("text_named.wav"));
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(text.error().reason, "audio_unsupported");
  EXPECT_NE(text.error().message.find("WAV, AIFF"), std::string::npos);

  const long before = PeakMemoryMegabytes();
  const auto streamed = ReadReference(Case("streamed_sizes_ffffffff.wav"));
  ASSERT_TRUE(streamed.has_value()) << streamed.error().message;
  EXPECT_EQ(streamed->waveform.samples.size(), 96000u);  // 4.00 s
  EXPECT_TRUE(streamed->report.warnings.empty());
  EXPECT_LT(PeakMemoryMegabytes() - before, 100);
}

TEST(Cases, D19ClippingOffsetAndMusic) {
  const auto clipped = ReadReference(Case("clipped_dc_offset.wav"));
  ASSERT_TRUE(clipped.has_value()) << clipped.error().message;
  EXPECT_TRUE(Warns(*clipped, "audio_clipped", "5.5 % of the samples are clipped"));
  EXPECT_TRUE(Warns(*clipped, "audio_dc_offset", "0.089"));
  const auto speech = PreprocessSpeaker(clipped->waveform);
  ASSERT_TRUE(speech.has_value()) << speech.error().message;
  EXPECT_GT(speech->seconds(), 4.0);
  double sum = 0.0;
  for (const float sample : speech->samples) sum += sample;
  EXPECT_LT(std::abs(sum / static_cast<double>(speech->samples.size())), 0.001);

  const auto music = ReadReference(Case("speech_over_music_0dB.wav"));
  ASSERT_TRUE(music.has_value()) << music.error().message;
  EXPECT_TRUE(Warns(*music, "audio_background", "noise or music in the background"));
  for (const char* name : {"ref_clean_m.wav", "ref_clean_f.wav"}) {
    const auto clean = ReadReference(Case(name));
    ASSERT_TRUE(clean.has_value());
    EXPECT_TRUE(clean->report.warnings.empty()) << clean->report.warnings[0].message;
  }
}

}  // namespace
}  // namespace timbre::audio
