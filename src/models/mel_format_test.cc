#include "models/mel_format.h"

#include <gtest/gtest.h>

namespace timbre::models {
namespace {

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

constexpr MelFormat kNvidia{22050, 256, 80, 8000, MelScale::kNaturalLog};
constexpr MelFormat kRtvc{16000, 200, 80, 7600, MelScale::kSymmetricDecibel};
constexpr MelFormat kFatchord{22050, 275, 80, 0, MelScale::kUnitDecibel};

// The table of which parts fit: synthesizers down, vocoders across.
TEST(MelFormat, PairsThatFitAndPairsThatDoNot) {
  EXPECT_TRUE(CheckFits(kNvidia, kNvidia));
  EXPECT_TRUE(CheckFits(kRtvc, kRtvc));
  EXPECT_FALSE(CheckFits(kRtvc, kNvidia));
  EXPECT_FALSE(CheckFits(kRtvc, kFatchord));
  EXPECT_FALSE(CheckFits(kNvidia, kRtvc));
  EXPECT_FALSE(CheckFits(kNvidia, kFatchord));
}

TEST(MelFormat, RefusalNamesWhatDiffersAndBothFormats) {
  const auto rate = CheckFits(kRtvc, kNvidia);
  ASSERT_FALSE(rate);
  EXPECT_EQ(rate.error().reason, "mel_format_mismatch");
  EXPECT_TRUE(Contains(rate.error().message, "sample rate differs"));
  EXPECT_TRUE(Contains(rate.error().message, "16000 Hz, hop 200, 80 bins up to 7600 Hz"));
  EXPECT_TRUE(Contains(rate.error().message, "22050 Hz, hop 256, 80 bins up to 8000 Hz"));

  MelFormat other = kNvidia;
  other.hop = 275;
  EXPECT_TRUE(Contains(CheckFits(kNvidia, other).error().message, "hop differs"));
  other = kNvidia;
  other.bins = 100;
  EXPECT_TRUE(Contains(CheckFits(kNvidia, other).error().message, "number of bins differs"));
  other = kNvidia;
  other.scale = MelScale::kSymmetricDecibel;
  EXPECT_TRUE(Contains(CheckFits(kNvidia, other).error().message, "scale differs"));
  other = kNvidia;
  other.fmax = 11025;
  EXPECT_TRUE(Contains(CheckFits(kNvidia, other).error().message, "upper frequency differs"));
  other.fmax = 0;  // not stated: nothing to compare
  EXPECT_TRUE(CheckFits(kNvidia, other));
}

}  // namespace
}  // namespace timbre::models
