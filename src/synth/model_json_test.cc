#include "synth/model_json.h"

#include <gtest/gtest.h>

namespace timbre::synth {
namespace {

TEST(ModelJson, FindsFilesInTheModelsAndTheDataFolder) {
  const auto files = ParseModelJson(
      R"({"name": "x", "speaker_encoder": {"weights": "data:weights/ge2e/pretrained.pt"},
          "synthesizer": {"weights": "声音é/a b.pt", "stream_ahead": 30},
          "vocoder": {"weights": "v.pth", "config": "c.json"},
          "languages": ["en"]})",
      "models/模型 v2 (测试)", "data");
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->speaker_encoder.weights, "data/weights/ge2e/pretrained.pt");
  EXPECT_EQ(files->synthesizer.weights, "models/模型 v2 (测试)/声音é/a b.pt");
  EXPECT_EQ(files->synthesizer.stream_ahead, 30);
  EXPECT_EQ(files->vocoder.config, "models/模型 v2 (测试)/c.json");
  EXPECT_EQ(files->precision, "auto");
}

TEST(ModelJson, SaysWhichKeyIsWrong) {
  const auto message = [](std::string_view text) {
    const auto files = ParseModelJson(text, "m", "d");
    return files ? std::string() : files.error().message;
  };
  EXPECT_EQ(message("[1"), "model.json: not a JSON object");
  EXPECT_EQ(message("{}"), "model.json: \"synthesizer\" is missing");
  EXPECT_EQ(message(R"({"synthesizer": 3})"), "model.json: \"synthesizer\" must be an object");
  EXPECT_EQ(message(R"({"synthesizer": {}})"), "model.json: \"synthesizer\" names no \"weights\"");
  EXPECT_EQ(message(R"({"synthesizer": {"weights": "a", "stream_ahead": -1}})"),
            "model.json: \"stream_ahead\" must be a whole number, 0 to 2000");
  EXPECT_EQ(message(R"({"name": 1})"), "model.json: \"name\" must be a text");
  EXPECT_EQ(message(R"({"synthesizer": {"weights": "a"}, "vocoder": {"weights": "b"},
                        "languages": [1]})"),
            "model.json: \"languages\" must be a list of texts");
}

}  // namespace
}  // namespace timbre::synth
