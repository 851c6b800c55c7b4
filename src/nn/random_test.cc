#include "nn/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace timbre::nn {
namespace {

// The known answer of Philox4x32-10 for a zero counter and key, from its authors' test vectors.
TEST(Random, IsPhilox) {
  Random random(0);
  EXPECT_EQ(random.Next(), 0x6627e8d5u);
  EXPECT_EQ(random.Next(), 0xe169c58du);
  EXPECT_EQ(random.Next(), 0xbc57ac4cu);
  EXPECT_EQ(random.Next(), 0x9b00dbd8u);
}

TEST(Random, StreamsAndPositionsAreIndependentAndRepeatable) {
  Random a(5, 1), again(5, 1), other_stream(5, 2), other_seed(6, 1);
  std::vector<float> first(8), same(8), second(8), third(8);
  a.FillUniform(first);
  again.FillUniform(same);
  other_stream.FillUniform(second);
  other_seed.FillUniform(third);
  EXPECT_EQ(first, same);
  EXPECT_NE(first, second);
  EXPECT_NE(first, third);
  again.Seek(1);
  EXPECT_EQ(again.Uniform(), first[4]);
}

TEST(Random, HasTheRightDistributions) {
  Random random(9);
  std::vector<float> x(20000);
  random.FillUniform(x);
  double sum = 0, squares = 0;
  for (const float value : x) {
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
  }
  EXPECT_NEAR(sum / 20000, 0.5, 0.01);
  random.FillNormal(x);
  sum = 0;
  for (const float value : x) {
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 20000, 0.0, 0.03);
  EXPECT_NEAR(squares / 20000, 1.0, 0.04);
  random.FillDropout(0.5f, x);
  sum = 0;
  for (const float value : x) {
    ASSERT_TRUE(value == 0.0f || value == 2.0f);
    sum += value;
  }
  EXPECT_NEAR(sum / 20000, 1.0, 0.03);
}

}  // namespace
}  // namespace timbre::nn
