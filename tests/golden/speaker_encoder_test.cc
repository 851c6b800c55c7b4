// The GE2E encoder with its real weights against Resemblyzer and Real-Time-Voice-Cloning, from the
// preprocessed samples on.
#include "models/sv2tts/speaker_encoder.h"

#include <gtest/gtest.h>

#include "nn/checkpoint.h"
#include "tests/support/golden.h"
#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

using testing::ExpectClose;
using testing::Golden;
using testing::GoldenVector;

TEST(SpeakerEncoderGolden, PartialsAndEmbeddingsOfRealWeights) {
  const auto checkpoint =
      nn::Checkpoint::Open(TIMBRE_THIRD_PARTY_DIR "/weights/ge2e/pretrained.pt");
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  const auto loaded = SpeakerEncoder::Load(nn::WeightReader(*checkpoint));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const SpeakerEncoder& encoder = **loaded;

  for (const std::string name :
       {"espeak_en_22k", "espeak_zh_22k", "espeak_short_22k", "noise", "tones"}) {
    SCOPED_TRACE(name);
    const std::string path = "sv2tts/ge2e/" + name;
    const std::vector<float> samples = GoldenVector(path + ".pre.npy");

    const auto resemblyzer = encoder.Embed(samples, PartialRule::kResemblyzer);
    ASSERT_TRUE(resemblyzer) << resemblyzer.error().message;
    ExpectClose(resemblyzer->partials, Golden(path + ".partials_rate1.3.npy"), 1e-5);
    ExpectClose(resemblyzer->utterance, GoldenVector(path + ".embed_rate1.3.npy"), 1e-5);

    const auto rtvc = encoder.Embed(samples, PartialRule::kRtvc);
    ASSERT_TRUE(rtvc) << rtvc.error().message;
    ExpectClose(rtvc->partials, Golden(path + ".partials_ov0.5.npy"), 1e-5);
    ExpectClose(rtvc->utterance, GoldenVector(path + ".embed_ov0.5.npy"), 1e-5);

    const auto whole = encoder.Embed(samples, PartialRule::kWholeUtterance);
    ASSERT_TRUE(whole) << whole.error().message;
    ExpectClose(whole->utterance, GoldenVector(path + ".embed_full.npy"), 1e-5);
  }

  const auto nothing = encoder.Embed({});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().reason, "audio_too_short");
}

// In official code a net that does not respond gives a vector of NaN.
TEST(SpeakerEncoderGolden, NoResponseIsAnErrorNotNan) {
  testing::RecipeWeights weights;
  for (int layer = 0; layer < 3; ++layer) {
    const auto name = [&](const char* kind) { return fmt::format("lstm.{}_l{}", kind, layer); };
    weights.SetShape(name("weight_ih"), {1024, layer == 0 ? 40 : 256});
    weights.SetShape(name("weight_hh"), {1024, 256});
    weights.SetShape(name("bias_ih"), {1024});
    weights.SetShape(name("bias_hh"), {1024});
  }
  weights.SetShape("linear.weight", {256, 256});
  weights.SetShape("linear.bias", {256});
  weights.SetValues("linear.bias", std::vector<float>(256, -1000.0f));
  const auto encoder = SpeakerEncoder::Load(nn::WeightReader(weights));
  ASSERT_TRUE(encoder) << encoder.error().message;
  const auto embedding = (*encoder)->Embed(std::vector<float>(16000, 0.1f));
  ASSERT_FALSE(embedding);
  EXPECT_EQ(embedding.error().reason, "audio_unusable");

  weights.Remove("lstm.bias_hh_l1");
  const auto incomplete = SpeakerEncoder::Load(nn::WeightReader(weights));
  ASSERT_FALSE(incomplete);
  EXPECT_NE(incomplete.error().message.find("lstm.bias_hh_l1"), std::string::npos);
}

TEST(SpeakerEncoderGolden, PartialsLieWhereTheOfficialOnesDo) {
  using Starts = std::vector<std::int64_t>;
  const auto starts = SpeakerEncoder::PartialStarts;
  EXPECT_EQ(starts(74400, PartialRule::kResemblyzer), (Starts{0, 77, 154, 231, 308}));
  EXPECT_EQ(starts(74400, PartialRule::kRtvc), (Starts{0, 80, 160, 240, 320}));
  EXPECT_EQ(starts(82560, PartialRule::kRtvc).size(), 5u);
  EXPECT_EQ(starts(82560, PartialRule::kResemblyzer).size(), 6u);
  EXPECT_EQ(starts(9600, PartialRule::kResemblyzer), Starts{0});
  EXPECT_EQ(starts(1, PartialRule::kRtvc), Starts{0});
}

}  // namespace
}  // namespace timbre::models
