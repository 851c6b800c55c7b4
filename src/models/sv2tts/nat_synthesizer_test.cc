#include "models/sv2tts/nat_synthesizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/sv2tts/nat_config.h"

namespace timbre::models {
namespace {

constexpr const char* kConfig = R"({
  "format": 1, "architecture": "non-attentive-tacotron",
  "sizes": {"embedding": 8, "encoder_lstm": 4, "speaker_embedding": 6, "speaker": 4,
            "duration_lstm": 4, "prenet": 8, "postnet": 8, "position_scale": 8,
            "prenet_dropout": 0.5, "symbols": 16, "decoder_lstm": 8, "mel": 80},
  "mel": {"rate": 22050, "hop": 256, "fmax": 8000, "log": "ln"},
  "edge": 1, "word_boundary": [2], "languages": ["en", "zh"],
  "phones": {"AA1": [4], "B": [5, 6], "y": [7], "i1": [8, 9], "y i1": [10], "EE": [], ",": [3]}})";

std::string Edited(std::string_view from, std::string_view to) {
  std::string text = kConfig;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(NatConfig, ReadsSizesMelAndPhones) {
  const auto config = ParseNatConfig(kConfig);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->symbols, 16);
  EXPECT_EQ(config->encoded(), 12);
  EXPECT_EQ(config->mel.sample_rate, 22050);
  EXPECT_EQ(config->mel.bins, 80);
  EXPECT_EQ(config->languages, (std::vector<std::string>{"en", "zh"}));
}

TEST(NatConfig, RefusesWhatIsMissingOrOutOfRange) {
  const auto reason = [](const std::string& text) {
    const auto config = ParseNatConfig(text);
    return config ? std::string("accepted") : config.error().reason;
  };
  EXPECT_EQ(reason(""), "model_config_invalid");
  EXPECT_EQ(reason("[1]"), "model_config_invalid");
  EXPECT_EQ(reason("{}"), "model_version_unsupported");
  EXPECT_EQ(reason(Edited("\"format\": 1", "\"format\": 2")), "model_version_unsupported");
  EXPECT_EQ(reason(Edited("\"symbols\": 16", "\"symbols\": 1e9")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("\"prenet\": 8", "\"prenet\": -8")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("\"prenet_dropout\": 0.5", "\"prenet_dropout\": 1")),
            "model_config_invalid");
  EXPECT_EQ(reason(Edited("\"decoder_lstm\": 8, ", "")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("\"log\": \"ln\"", "\"log\": \"dB\"")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("[10]", "[16]")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("[5, 6]", "[5, -6]")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("[2]", "7")), "model_config_invalid");
  EXPECT_EQ(reason(Edited("\"edge\": 1", "\"edge\": 99")), "model_config_invalid");
}

TEST(NatConfig, SpellsWordsInSymbols) {
  const NatConfig config = ParseNatConfig(kConfig).value();
  const std::vector<NatWord> words = {{.phones = {"B", "AA1"}},
                                      {.phones = {","}, .punctuation = true},
                                      {.phones = {"EE", "y", "i1", "y", "??"}}};
  const NatSymbols symbols = config.Symbols(words);
  // The boundary stands before the second word, after the comma; the pair "y i1" wins.
  EXPECT_EQ(symbols.ids, (std::vector<std::int32_t>{1, 5, 6, 4, 3, 2, 10, 7, 1}));
  EXPECT_EQ(symbols.audible, (std::vector<std::uint8_t>{0, 1, 0, 1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(symbols.unknown, (std::vector<std::string>{"??"}));
}

TEST(NatDurations, RoundScaleAndStayWithinBounds) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> logs = {std::log(5.0f), std::log(1.3f), -2.0f, nan, 1000.0f};
  const std::vector<std::uint8_t> audible = {1, 1, 0, 1, 0};
  using Frames = std::vector<std::int32_t>;
  EXPECT_EQ(NatSynthesizer::Durations(logs, {}, 1.0f, nullptr), (Frames{4, 0, 0, 0, 250}));
  EXPECT_EQ(NatSynthesizer::Durations(logs, audible, 1.0f, nullptr), (Frames{4, 1, 0, 1, 250}));
  EXPECT_EQ(NatSynthesizer::Durations(logs, audible, 2.0f, nullptr), (Frames{2, 1, 0, 1, 250}));
  EXPECT_EQ(NatSynthesizer::Durations(logs, audible, 0.5f, nullptr), (Frames{8, 1, 0, 1, 250}));

  bool cut = false;
  const std::vector<float> endless(100, 50.0f);
  const Frames frames = NatSynthesizer::Durations(endless, {}, 1.0f, &cut);
  EXPECT_TRUE(cut);
  std::int64_t total = 0;
  for (const std::int32_t n : frames) total += n;
  EXPECT_EQ(total, kNatMaxFrames);
}

}  // namespace
}  // namespace timbre::models
