#include "models/sv2tts/silence_trim.h"

#include <gtest/gtest.h>

#include <vector>

namespace timbre::models {
namespace {

// One band per frame is enough to tell loud from silent.
nn::Tensor Frames(const std::vector<float>& levels) {
  nn::Tensor mel(0, 1);
  for (const float level : levels) {
    nn::Tensor frame(1, 1);
    frame.at(0, 0) = level;
    mel.AppendRows(frame);
  }
  return mel;
}

std::vector<float> Push(SilenceTrim& trim, const std::vector<float>& levels, bool last) {
  nn::Tensor out;
  trim.Push(Frames(levels), last, out);
  return {out.data(), out.data() + out.size()};
}

using Levels = std::vector<float>;

TEST(SilenceTrim, CutsTheEndOnly) {
  SilenceTrim trim(-3.4F);
  EXPECT_EQ(Push(trim, {-4, 1, -4, -4, 2, -3.5F, -4}, true), (Levels{-4, 1, -4, -4, 2}));
}

TEST(SilenceTrim, HoldsSilenceBackUntilALouderFrame) {
  SilenceTrim trim(-3.4F);
  EXPECT_EQ(Push(trim, {1, -4}, false), (Levels{1}));
  EXPECT_EQ(Push(trim, {-4}, false), Levels{});
  EXPECT_EQ(Push(trim, {}, false), Levels{});
  EXPECT_EQ(Push(trim, {2, -4}, false), (Levels{-4, -4, 2}));
  EXPECT_EQ(Push(trim, {}, true), Levels{});
}

// The official code crashes here.
TEST(SilenceTrim, AWhollySilentSegmentIsNothing) {
  SilenceTrim trim(-3.4F);
  EXPECT_EQ(Push(trim, {-4, -4}, false), Levels{});
  EXPECT_EQ(Push(trim, {-4}, true), Levels{});
}

}  // namespace
}  // namespace timbre::models
