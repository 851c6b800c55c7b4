#include "models/hifigan/hifigan_config.h"

#include <gtest/gtest.h>

#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

constexpr const char* kV1 = R"({
  "resblock": "1", "upsample_rates": [8,8,2,2], "upsample_kernel_sizes": [16,16,4,4],
  "upsample_initial_channel": 512, "resblock_kernel_sizes": [3,7,11],
  "resblock_dilation_sizes": [[1,3,5],[1,3,5],[1,3,5]],
  "num_mels": 80, "hop_size": 256, "sampling_rate": 22050, "fmax": 8000, "fmax_for_loss": null})";

std::string Edited(std::string_view from, std::string_view to) {
  std::string text = kV1;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(HifiGanConfig, ReadsTheOfficialV1) {
  const auto config = ParseHifiGanConfig(kV1);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->resblock, 1);
  EXPECT_EQ(config->upsample_rates, (std::vector<int>{8, 8, 2, 2}));
  EXPECT_EQ(config->mel.sample_rate, 22050);
  EXPECT_EQ(config->mel.hop, 256);
  EXPECT_EQ(config->mel.bins, 80);
  EXPECT_EQ(config->mel.fmax, 8000);
  EXPECT_EQ(config->mel.scale, MelScale::kNaturalLog);
  EXPECT_EQ(config->LookAheadFrames(), 13);
}

TEST(HifiGanConfig, RefusesWhatNoGeneratorCanHave) {
  const auto reason = [](const std::string& text) {
    const auto config = ParseHifiGanConfig(text);
    return config ? std::string("accepted") : config.error().reason;
  };
  EXPECT_EQ(reason(kV1), "accepted");
  const std::pair<const char*, const char*> edits[] = {
      {"\"resblock\": \"1\"", "\"resblock\": \"3\""},
      {"\"resblock\": \"1\",", ""},
      {"[8,8,2,2]", "[8,8,2]"},
      {"[8,8,2,2]", "[8,8,2,3]"},  // not the hop
      {"[8,8,2,2]", "[8,8,-2,-2]"},
      {"[8,8,2,2]", "[64,64,64,64]"},
      {"[8,8,2,2]", "[8,8,2,\"2\"]"},
      {"[8,8,2,2]", "[]"},
      {"[16,16,4,4]", "[16,16,4,1]"},  // smaller than its rate
      {"512", "520"},                  // 520 / 16 is no whole number
      {"512", "99999999999999999999"},
      {"[3,7,11]", "[3,7]"},
      {"[3,7,11]", "[3,7,10]"},
      {"[1,3,5],[1,3,5]]", "[1,3,5],[1,3,5000]]"},
      {"[1,3,5],[1,3,5]]", "[1,3,5],7]"},
      {"\"num_mels\": 80", "\"num_mels\": 0"},
      {"\"sampling_rate\": 22050", "\"sampling_rate\": 1"},
      {"\"hop_size\": 256", "\"hop_size\": 275"},
      {"\"fmax\": 8000", "\"fmax\": \"high\""},
  };
  for (const auto& [from, to] : edits) {
    EXPECT_EQ(reason(Edited(from, to)), "vocoder_config_invalid") << to;
  }
  EXPECT_EQ(reason(""), "vocoder_config_invalid");
  EXPECT_EQ(reason("[]"), "vocoder_config_invalid");
  EXPECT_EQ(reason(std::string(100000, ' ')), "vocoder_config_invalid");
  EXPECT_EQ(ReadHifiGanConfig("/nowhere/config.json").error().reason, "model_file_missing");
}

TEST(HifiGanConfig, InfersPublishedGeneratorsFromTheirShapes) {
  const std::string folder = TIMBRE_SOURCE_DIR "/tests/golden/sv2tts/hifigan/";
  for (const std::string name : {"v1", "v2", "v3", "small_v1"}) {
    SCOPED_TRACE(name);
    const auto weights = testing::RecipeWeights::FromShapes(folder + name + ".shapes.json",
                                                            testing::RecipeFamily::kHifigan);
    ASSERT_TRUE(weights) << weights.error().message;
    const auto inferred = InferHifiGanConfig(nn::WeightReader(*weights));
    ASSERT_TRUE(inferred) << inferred.error().message;
    const auto stated = ReadHifiGanConfig(folder + name + ".config.json");
    ASSERT_TRUE(stated) << stated.error().message;
    EXPECT_EQ(inferred->resblock, stated->resblock);
    EXPECT_EQ(inferred->upsample_initial_channel, stated->upsample_initial_channel);
    EXPECT_EQ(inferred->upsample_rates, stated->upsample_rates);
    EXPECT_EQ(inferred->upsample_kernel_sizes, stated->upsample_kernel_sizes);
    EXPECT_EQ(inferred->resblock_kernel_sizes, stated->resblock_kernel_sizes);
    EXPECT_EQ(inferred->resblock_dilation_sizes, stated->resblock_dilation_sizes);
    EXPECT_TRUE(CheckFits(inferred->mel, stated->mel));
  }
  testing::RecipeWeights other;
  other.SetShape("encoder.weight", {3, 3});
  EXPECT_EQ(InferHifiGanConfig(nn::WeightReader(other)).error().reason, "vocoder_config_missing");
}

}  // namespace
}  // namespace timbre::models
