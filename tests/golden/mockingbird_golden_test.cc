// MockingBird's synthesizer (official size, with style tokens) against arrays of the official
// module with random weights, f32.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/sv2tts/rtvc_synthesizer.h"
#include "tests/support/golden.h"
#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

using nn::Tensor;
using testing::ExpectClose;
using testing::Golden;

// Largest |difference|; mel values reach about 4. Rounding grows from step to step, as
// rtvc_synthesizer_golden_test.cc says; so the first frames are held more tightly.
constexpr double kStartTolerance = 1e-4;
constexpr std::int64_t kStartFrames = 32;
constexpr double kTolerance = 2e-3;

Tensor Transposed(const Tensor& x) {
  Tensor y(x.cols(), x.rows());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < x.cols(); ++j) y.at(j, i) = x.at(i, j);
  }
  return y;
}

// "欢迎使用工具箱，现已支持中文输入！" of mockingbird/text.json.
const std::vector<std::int32_t> kIds = {
    35, 48, 28, 41, 54, 74, 52, 36, 41, 34, 55, 74, 46, 35, 36, 56, 74, 52, 42, 41, 34,
    57, 74, 34, 42, 41, 34, 54, 74, 37, 48, 57, 74, 51, 36, 28, 41, 34, 54, 74, 74, 51,
    36, 28, 41, 57, 74, 52, 36, 56, 74, 53, 35, 36, 54, 74, 30, 35, 36, 55, 74, 53, 35,
    42, 41, 34, 54, 74, 50, 32, 41, 55, 74, 46, 35, 48, 54, 74, 45, 48, 57, 74, 1};

testing::RecipeWeights Official() {
  auto weights = testing::RecipeWeights::FromShapes(
      testing::GoldenPath("sv2tts/mockingbird/official.shapes.json").string(),
      testing::RecipeFamily::kRtvc);
  EXPECT_TRUE(weights);
  return *std::move(weights);
}

TEST(MockingBirdGolden, OfficialSizeWithStyles) {
  const testing::RecipeWeights weights = Official();
  const auto loaded = RtvcSynthesizer::Load(nn::WeightReader(weights));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const RtvcSynthesizer& model = **loaded;
  EXPECT_EQ(model.symbol_set(), RtvcSymbols::kMockingBird75);
  EXPECT_EQ(model.speaker_size(), 256);
  EXPECT_EQ(model.style_tokens(), 10);
  const auto speaker = testing::GoldenVector("sv2tts/ge2e/human_p240.embed_rate1.3.npy");

  for (const auto& [style, name] : {std::pair{0, "style0"}, std::pair{-1, "style_neg1"}}) {
    SCOPED_TRACE(name);
    const std::string run = std::string("sv2tts/mockingbird/official_nodrop_") + name;
    ExpectClose(*model.Style(style, speaker), testing::GoldenVector(run + ".style.npy"), 1e-5);
    DecodeOptions options;
    options.style = style;
    options.max_frames = 60;
    options.rest_limit = 0;  // the official module has none
    auto encoded = model.Encode(kIds, speaker, options);
    ASSERT_TRUE(encoded) << encoded.error().message;
    auto generation = model.Start(*std::move(encoded), options);
    RtvcSynthesizer::Generation* const group[] = {&generation};
    Tensor mel, out;
    while (generation.stopped == StopReason::kNone) {
      model.Step(group);
      mel.AppendRows(generation.frames);
    }
    const Tensor expected = Transposed(Golden(run + ".mel.npy"));
    ExpectClose(mel.Rows(0, kStartFrames), expected.Rows(0, kStartFrames), kStartTolerance);
    ExpectClose(mel, expected, kTolerance);
    auto postnet = model.StartPostnet();
    model.Postnet(postnet, mel, /*last=*/true, out);
    ExpectClose(out, Transposed(Golden(run + ".out.npy")), kTolerance);
  }
  DecodeOptions options;
  options.style = 10;
  EXPECT_EQ(model.Encode(kIds, speaker, options).error().reason, "unknown_style");
}

}  // namespace
}  // namespace timbre::models
