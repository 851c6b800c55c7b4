#include "models/activation_ranges.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace timbre::models {
namespace {

TEST(ActivationRangesFile, ReadsWhatItWrote) {
  const testing::TemporaryFolder folder;
  nn::ActivationRanges ranges;
  ranges.Raise("ups.0", 3.5f);
  ranges.Raise("resblocks.0.convs1.0", 0.123456f);
  ASSERT_TRUE(WriteActivationRanges(folder.path() / "ranges.json", ranges));
  const auto read = ReadActivationRanges(folder.path() / "ranges.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->all(), ranges.all());
  EXPECT_EQ(WriteActivationRanges(folder.path() / "no" / "folder.json", ranges).error().reason,
            "file_not_written");
}

TEST(ActivationRangesFile, RefusesOtherFiles) {
  const testing::TemporaryFolder folder;
  const auto reason = [&](std::string_view text) {
    const auto read = ReadActivationRanges(folder.Write("ranges.json", text));
    return read ? std::string("accepted") : read.error().reason;
  };
  EXPECT_EQ(ReadActivationRanges(folder.path() / "none").error().reason, "model_file_missing");
  EXPECT_EQ(reason("nonsense"), "calibration_invalid");
  EXPECT_EQ(reason(R"({"format": 2, "layers": {}})"), "calibration_invalid");
  EXPECT_EQ(reason(R"({"format": 1, "layers": [1]})"), "calibration_invalid");
  EXPECT_EQ(reason(R"({"format": 1, "layers": {"a": "b"}})"), "calibration_invalid");
  EXPECT_EQ(reason(R"({"format": 1, "layers": {"a": -1}})"), "calibration_invalid");
  EXPECT_EQ(reason(R"({"format": 1, "layers": {"a": 1e300}})"), "calibration_invalid");
  EXPECT_EQ(reason(R"({"format": 1, "layers": {"a": 1}})"), "accepted");
}

}  // namespace
}  // namespace timbre::models
