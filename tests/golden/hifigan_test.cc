// HiFi-GAN against the official generator: small and V2 checkpoints from disk, V1 and V3 in
// official size by the recipe for random weights, MockingBird's 16 kHz generator.
#include "models/hifigan/hifigan.h"

#include <gtest/gtest.h>

#include "audio/mel.h"
#include "audio/wav.h"
#include "nn/checkpoint.h"
#include "tests/support/golden.h"
#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

using testing::ExpectClose;
using testing::Golden;
using testing::GoldenIntegers;
using testing::GoldenPath;
using testing::GoldenVector;

std::shared_ptr<const HifiGan> LoadFrom(const nn::WeightSource& weights, const std::string& config,
                                        nn::Precision precision = nn::Precision::kF32) {
  const auto parsed = ReadHifiGanConfig(GoldenPath(config));
  EXPECT_TRUE(parsed) << parsed.error().message;
  auto model = HifiGan::Load(nn::WeightReader(weights), *parsed, precision);
  EXPECT_TRUE(model) << model.error().message;
  return *model;
}

std::shared_ptr<const HifiGan> LoadFile(const std::string& checkpoint, const std::string& config) {
  const auto file = nn::Checkpoint::Open(GoldenPath(checkpoint));
  EXPECT_TRUE(file) << file.error().message;
  return LoadFrom(*file, config);
}

// Golden mels are [bins, frames].
nn::Tensor GoldenMel(const std::string& name) {
  const nn::Tensor stored = Golden(name);
  nn::Tensor mel(stored.cols(), stored.rows());
  for (std::int64_t t = 0; t < mel.rows(); ++t) {
    for (std::int64_t bin = 0; bin < mel.cols(); ++bin) mel.at(t, bin) = stored.at(bin, t);
  }
  return mel;
}

// Cuts the mel into chunks of the given sizes, over and over, and checks that each sample comes as
// soon as the look-ahead allows.
std::vector<float> Streamed(const HifiGan& model, const nn::Tensor& mel,
                            const std::vector<std::int64_t>& sizes) {
  HifiGan::Stream stream(model);
  std::vector<float> samples;
  std::int64_t taken = 0;
  for (std::size_t i = 0; taken < mel.rows(); ++i) {
    const std::int64_t end = std::min(taken + sizes[i % sizes.size()], mel.rows());
    stream.Push(mel.Rows(taken, end), end == mel.rows(), samples);
    taken = end;
    if (taken < mel.rows()) {
      const std::int64_t ready = std::max<std::int64_t>(0, taken - model.lookahead_frames());
      const auto out = static_cast<std::int64_t>(samples.size());
      EXPECT_GE(out, ready * model.config().mel.hop);
      EXPECT_LT(out, (ready + 1) * model.config().mel.hop) << "it waits for less than it states";
    }
  }
  return samples;
}

void ExpectSame(const std::vector<float>& actual, const std::vector<float>& expected) {
  float peak = 0;
  for (const float sample : expected) peak = std::max(peak, std::abs(sample));
  ExpectClose(actual, expected, 1e-5 * peak);
}

void ExpectStreamsAsWhole(const HifiGan& model, const nn::Tensor& mel) {
  const std::vector<float> whole = model.Forward(mel);
  ExpectSame(Streamed(model, mel, {mel.rows()}), whole);
  ExpectSame(Streamed(model, mel, {7}), whole);
  ExpectSame(Streamed(model, mel, {1, 13, 2, 0, 5, 30}), whole);
  ExpectSame(Streamed(model, mel, {2, mel.rows() - 3}), whole);  // the last chunk is one frame
}

TEST(HifiGanGolden, SmallV1) {
  const auto model =
      LoadFile("sv2tts/hifigan/small_v1.g.pth", "sv2tts/hifigan/small_v1.config.json");
  const nn::Tensor mel = GoldenMel("sv2tts/hifigan/mel_in.npy");
  const std::vector<float> samples = model->Forward(mel);
  ExpectClose(samples, GoldenVector("sv2tts/hifigan/small_v1.wav_out.npy"), 1e-4);
  EXPECT_EQ(model->lookahead_frames(), 13);
  ExpectStreamsAsWhole(*model, mel);

  // As 16-bit sound: the official code cuts towards zero where we round to nearest.
  const auto expected = GoldenIntegers("sv2tts/hifigan/small_v1.int16.npy");
  ASSERT_EQ(samples.size(), expected.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_NEAR(audio::ToPcm16(samples[i]), expected[i], 4) << i;
  }
}

TEST(HifiGanGolden, SmallV3) {
  const auto model =
      LoadFile("sv2tts/hifigan/small_v3.g.pth", "sv2tts/hifigan/small_v3.config.json");
  const nn::Tensor mel = GoldenMel("sv2tts/hifigan/mel_in.npy");
  ExpectClose(model->Forward(mel), GoldenVector("sv2tts/hifigan/small_v3.wav_out.npy"), 1e-4);
  EXPECT_EQ(model->lookahead_frames(), 11);
  ExpectStreamsAsWhole(*model, mel);
}

TEST(HifiGanGolden, MockingBird16k) {
  const std::string folder = "sv2tts/mockingbird/hifigan_small_config_16k_";
  const auto model = LoadFile(folder + ".pt", folder + ".config.json");
  const nn::Tensor mel = GoldenMel(folder + ".mel_in.npy");
  ExpectClose(model->Forward(mel), GoldenVector(folder + ".wav_out.npy"), 1e-4);
  EXPECT_EQ(model->lookahead_frames(), 20);
  EXPECT_EQ(model->config().mel.scale, MelScale::kSymmetricDecibel);
  ExpectStreamsAsWhole(*model, mel);
}

TEST(HifiGanGolden, V2) {
  const auto model = LoadFile("sv2tts/hifigan/v2.g.pth", "sv2tts/hifigan/v2.config.json");
  const nn::Tensor mel = GoldenMel("sv2tts/hifigan/mel_in.npy");
  ExpectClose(model->Forward(mel), GoldenVector("sv2tts/hifigan/v2.wav_out.npy"), 1e-4);
}

void ExpectRecipeMatches(const std::string& name) {
  const auto weights = testing::RecipeWeights::FromShapes(
      GoldenPath("sv2tts/hifigan/" + name + ".shapes.json").string(),
      testing::RecipeFamily::kHifigan);
  ASSERT_TRUE(weights) << weights.error().message;
  const auto model = LoadFrom(*weights, "sv2tts/hifigan/" + name + ".config.json");
  ExpectClose(model->Forward(GoldenMel("sv2tts/hifigan/mel_in.npy")),
              GoldenVector("sv2tts/hifigan/" + name + ".wav_out.npy"), 1e-4);
}

TEST(HifiGanGolden, V1OfOfficialSize) { ExpectRecipeMatches("v1"); }

TEST(HifiGanGolden, V3OfOfficialSize) { ExpectRecipeMatches("v3"); }

// Mean difference of two log mels, [frames, bins] each, where `a` can be heard.
double MelDistance(const nn::Tensor& a, const nn::Tensor& b) {
  constexpr std::int64_t kEdge = 5;  // rows that the ends of the sound reach into
  constexpr float kAudible = -7.0f;
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t t = kEdge; t < a.rows() - kEdge; ++t) {
    for (std::int64_t bin = 0; bin < a.cols(); ++bin) {
      if (a.at(t, bin) < kAudible) continue;
      sum += std::abs(a.at(t, bin) - b.at(t, bin));
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

nn::Tensor MelOf(const std::vector<float>& samples) {
  const audio::MelFrames frames = audio::MelSpectrogram(audio::HifiGanMel()).Compute(samples);
  nn::Tensor mel(frames.frames, frames.bands);
  std::ranges::copy(frames.values, mel.data());
  return mel;
}

// The published universal generator says again what it was told: the mel of its speech is near the
// mel it was given. That of its int8 copy, calibrated on the same sound, is nearer; waveforms may
// differ in phase, which nobody hears.
TEST(HifiGanGolden, UniversalV1WithRealWeights) {
  const std::string folder = TIMBRE_THIRD_PARTY_DIR "/weights/hifigan-universal-v1/";
  const auto file = nn::Checkpoint::Open(folder + "generator_universal.pth.tar");
  ASSERT_TRUE(file) << file.error().message;
  const nn::WeightReader reader(*file);
  const auto config = ReadHifiGanConfig(folder + "config.json");
  ASSERT_TRUE(config) << config.error().message;
  const auto model = HifiGan::Load(reader, *config, nn::Precision::kF32);
  ASSERT_TRUE(model) << model.error().message;

  const nn::Tensor mel = GoldenMel("sv2tts/hifigan/melspec_out.npy").Rows(20, 50);
  nn::ActivationRanges ranges;
  std::vector<float> samples;
  {
    const nn::RecordRanges scope(ranges);
    samples = (*model)->Forward(mel);
  }
  ASSERT_EQ(samples.size(), 30u * 256u);
  const double own = MelDistance(mel, MelOf(samples));
  EXPECT_LT(own, 0.5);
  EXPECT_GT(ranges.Find("ups.0"), 0);
  EXPECT_GT(ranges.Find("resblocks.11.convs2.2"), 0);

  const auto fast = HifiGan::Load(reader, *config, nn::Precision::kInt8, ranges);
  ASSERT_TRUE(fast) << fast.error().message;
  EXPECT_LT(MelDistance(MelOf(samples), MelOf((*fast)->Forward(mel))), own);
}

}  // namespace
}  // namespace timbre::models
