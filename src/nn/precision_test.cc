#include "nn/precision.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "nn/calibration.h"
#include "nn/conv1d.h"
#include "nn/cpu.h"
#include "nn/linear.h"
#include "nn/rows_cache.h"
#include "nn/threads.h"

namespace timbre::nn {
namespace {

TEST(Precision, NamesReadBack) {
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    EXPECT_EQ(ParsePrecision(PrecisionName(precision)).value(), precision);
  }
  EXPECT_EQ(ParsePrecision("fp16").error().reason, "unknown_precision");
  EXPECT_FALSE(CpuName().empty());
}

TEST(Precision, AutoTakesTheFastestThatIsAllowedAndWorthIt) {
  const std::vector<Precision> all = {Precision::kF32, Precision::kBf16, Precision::kInt8};
  const std::vector<Precision> no_int8 = {Precision::kF32, Precision::kBf16};
  EXPECT_EQ(ChoosePrecision({100, 0, 0}, all).precision, Precision::kF32);
  EXPECT_EQ(ChoosePrecision({100, 20, 0}, all).precision, Precision::kBf16);
  EXPECT_EQ(ChoosePrecision({100, 20, 10}, all).precision, Precision::kInt8);
  EXPECT_EQ(ChoosePrecision({100, 20, 10}, no_int8).precision, Precision::kBf16);
  EXPECT_EQ(ChoosePrecision({100, 95, 95}, all).precision, Precision::kF32);
  EXPECT_EQ(ChoosePrecision({100, 200, 0}, all).precision, Precision::kF32);
  EXPECT_NE(ChoosePrecision({100, 0, 0}, all).reason.find("no bf16 and int8"), std::string::npos);
}

TEST(Precision, MeasuresWhatTheCpuHas) {
  const PrecisionTimes times = MeasurePrecisions();
  EXPECT_GT(times.f32, 0);
  EXPECT_EQ(times.bf16 > 0, HasPrecision(Precision::kBf16));
  EXPECT_EQ(times.int8 > 0, HasPrecision(Precision::kInt8));
  EXPECT_TRUE(HasPrecision(ChoosePrecision(times, std::vector{Precision::kBf16}).precision));
  EXPECT_EQ(SupportedPrecision(Precision::kF32), Precision::kF32);
}

TEST(Calibration, NamedLayersNoteTheirInputs) {
  const Weight weight{{1, 1, 1}, {1.0f}};
  const Conv1d conv(weight, {}, {.input_activation = Activation::kRelu, .name = "conv"});
  const Linear linear(Weight{{1, 1}, {1.0f}}, {}, {.name = "linear"});
  Tensor x(2, 1), y;
  x.at(0, 0) = -3.0f;
  x.at(1, 0) = 2.0f;
  ActivationRanges ranges;
  {
    const RecordRanges scope(ranges);
    conv.Forward(x, y);
    Conv1d::State state;
    conv.Push(state, x, true, y);
    linear.Forward(x, y);
  }
  linear.Forward(Tensor(1, 1), y);
  EXPECT_FLOAT_EQ(ranges.Find("conv"), 2.0f);
  EXPECT_FLOAT_EQ(ranges.Find("linear"), 3.0f);
  EXPECT_FLOAT_EQ(ranges.Find("other"), 0.0f);
  EXPECT_EQ(ranges.all().size(), 2u);
}

TEST(Threads, BudgetsNest) {
  EXPECT_EQ(CurrentThreadBudget(), 1);
  {
    const ThreadBudget two(2);
    EXPECT_EQ(CurrentThreadBudget(), 2);
    {
      const ThreadBudget one(1);
      EXPECT_EQ(CurrentThreadBudget(), 1);
    }
    EXPECT_EQ(CurrentThreadBudget(), 2);
  }
  EXPECT_EQ(CurrentThreadBudget(), 1);
  EXPECT_GE(CpuCount(), 1);
}

TEST(Threads, RestartDoesNothingWhenTheEnvironmentDecides) {
  ::setenv("OMP_WAIT_POLICY", "passive", 1);
  RestartWithPassiveWaiting(nullptr);
  EXPECT_STREQ(std::getenv("OMP_WAIT_POLICY"), "passive");
}

TEST(RowsCache, KeepsTheRecentlyUsedAndNoMore) {
  RowsCache<int> cache;
  int made = 0;
  const auto make = [&] { return ++made; };
  for (std::int64_t rows = 1; rows <= 40; ++rows) {
    cache.Get(rows, 1, make);
    EXPECT_EQ(*cache.Get(1, 1, make), 1);
  }
  EXPECT_EQ(made, 40);
  EXPECT_EQ(cache.size(), RowsCache<int>::kMaxEntries);
  EXPECT_EQ(*cache.Get(1, 2, make), 41);  // another number of threads is another primitive
}

TEST(RowsCache, BucketsAreCloseAndFew) {
  std::vector<std::int64_t> seen;
  for (std::int64_t rows = 1; rows <= 4096; ++rows) {
    const std::int64_t bucket = RowBucket(rows);
    ASSERT_GE(bucket, rows);
    ASSERT_LE(bucket, rows + rows / 8);
    if (seen.empty() || seen.back() != bucket) seen.push_back(bucket);
  }
  EXPECT_LE(seen.size(), 82u);
  for (const std::int64_t rows : {7, 56, 448, 896, 1792}) EXPECT_EQ(RowBucket(rows), rows);
}

}  // namespace
}  // namespace timbre::nn
