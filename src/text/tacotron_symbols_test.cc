#include "text/tacotron_symbols.h"

#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/tacotron_numbers.h"

namespace timbre::text {
namespace {

nlohmann::json Golden(const std::string& family) {
  const std::filesystem::path root = TIMBRE_SOURCE_DIR "/tests/golden/sv2tts";
  std::ifstream file(root / family / "text.json");
  return nlohmann::json::parse(file);
}

std::string Trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\n"));
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

std::string Spelling(char32_t c) {
  static const std::map<char32_t, std::string> kSpellings = {
      {U'你', "ni"}, {U'好', "hao"}, {U'世', "shi"}, {U'界', "jie"}};
  const auto found = kSpellings.find(c);
  return found == kSpellings.end() ? "" : found->second;
}

TEST(TacotronSymbols, ReadTextsAsTheOfficialCode) {
  const struct {
    const char* family;
    TacotronSymbols set;
  } families[] = {{"rtvc", TacotronSymbols::kRtvc},
                  {"nvtaco2", TacotronSymbols::kNvidia},
                  {"mockingbird", TacotronSymbols::kMockingBird75}};
  for (const auto& [family, set] : families) {
    const nlohmann::json golden = Golden(family);
    EXPECT_EQ(SymbolCount(set), static_cast<int>(golden.at("symbols").size()));
    for (const auto& each : golden.at("cases")) {
      std::string text = each.at("text");
      if (set == TacotronSymbols::kRtvc) text = Trimmed(text);  // its caller strips
      if (each.contains("cleaned")) {
        EXPECT_EQ(CleanEnglish(text, Spelling), each.at("cleaned")) << text;
      }
      if (each.contains("pinyin")) text = each.at("pinyin");
      EXPECT_EQ(TacotronIds(set, text, Spelling), each.at("ids").get<std::vector<int>>()) << text;
    }
  }
}

TEST(TacotronSymbols, AreChosenByTheEmbedding) {
  EXPECT_EQ(SymbolsForEmbedding(66), TacotronSymbols::kRtvc);
  EXPECT_EQ(SymbolsForEmbedding(148), TacotronSymbols::kNvidia);
  EXPECT_EQ(SymbolsForEmbedding(75), TacotronSymbols::kMockingBird75);
  EXPECT_EQ(SymbolsForEmbedding(70), TacotronSymbols::kMockingBird70);
  ASSERT_FALSE(SymbolsForEmbedding(71));
  EXPECT_EQ(SymbolsForEmbedding(71).error().reason, "unknown_symbol_set");
  // The old set has no digits 5..9: the neutral tone stays unmarked.
  EXPECT_EQ(TacotronIds(TacotronSymbols::kMockingBird70, "de5"),
            TacotronIds(TacotronSymbols::kMockingBird70, "de"));
}

TEST(TacotronSymbols, SayNumbersLikeInflect) {
  EXPECT_EQ(TacotronNumber("42195"), "forty-two thousand, one hundred ninety-five");
  EXPECT_EQ(TacotronNumber("5001"), "five thousand one");
  EXPECT_EQ(TacotronNumber("3095"), "three thousand ninety-five");
  EXPECT_EQ(TacotronNumber("1905"), "nineteen oh five");
  EXPECT_EQ(TacotronNumber("2010"), "twenty ten");
  EXPECT_EQ(TacotronNumber("1000"), "one thousand");
  EXPECT_EQ(TacotronNumber("0"), "zero");
  EXPECT_EQ(TacotronOrdinal("101"), "one hundred and first");
  EXPECT_EQ(TacotronOrdinal("1020"), "one thousand and twentieth");
  EXPECT_FALSE(TacotronNumber(std::string(200, '7')).empty());
  EXPECT_EQ(CleanEnglish("$1.2.3 and $0"), "one point two.three dollars and zero dollars");
}

TEST(TacotronSymbols, WriteAPieceAsPinyin) {
  Piece piece;
  piece.words = {{.language = Language::kMandarin, .text = "你好", .pinyin = {"ni3", "hao3"}},
                 {.text = ",", .punctuation = true},
                 {.text = "world"},
                 {.text = ".", .punctuation = true}};
  EXPECT_EQ(PinyinText(piece), "ni3 hao3 , world .");
}

}  // namespace
}  // namespace timbre::text
