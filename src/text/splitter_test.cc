#include "text/splitter.h"

#include <algorithm>
#include <ctime>
#include <sstream>

#include <gtest/gtest.h>

#include "text/utf8.h"
#include "text/zones.h"

namespace timbre::text {
namespace {

// Words of a text whose marks stand alone: "Rain , then sun ."
std::vector<Word> WordsOf(const std::string& text) {
  std::vector<Word> words;
  std::istringstream stream(text);
  for (std::string each; stream >> each;) {
    Word word;
    word.text = each;
    word.punctuation = std::string_view(",.!?…").find(each) != std::string_view::npos;
    word.phones = {word.punctuation ? each : "AH0"};
    words.push_back(word);
  }
  return words;
}

std::vector<std::string> Split(const std::string& text, const SplitLimits& limits = {}) {
  std::vector<std::string> out;
  for (const Piece& piece : SplitLine(MergeMarks(WordsOf(text)), limits, true))
    out.push_back(piece.text);
  return out;
}

using Strings = std::vector<std::string>;

TEST(Splitter, JoinsShortSentencesAndKeepsTheMark) {
  EXPECT_EQ(Split("Yes . No ."), Strings{"Yes. No."});
  EXPECT_EQ(Split("Yes . That is what I was going to say . No ."),
            (Strings{"Yes. That is what I was going to say. No."}));
}

TEST(Splitter, MergesMarks) {
  EXPECT_EQ(Split(", , Rain , . , sun ! ? ."), Strings{"Rain. sun!"});
  EXPECT_TRUE(Split(", . !").empty());
}

TEST(Splitter, CutsALongClauseWhereAPhraseBegins) {
  const Strings pieces = Split(
      "the old man who lived in the small white house near the river walked every morning to the "
      "market "
      "with his dog and bought a loaf of bread for the children of the village school .");
  EXPECT_GE(pieces.size(), 2U);
  std::string all;
  for (const std::string& piece : pieces) {
    const auto words = static_cast<std::size_t>(std::ranges::count(piece, ' ')) + 1;
    EXPECT_LE(words, &piece == &pieces[0] ? 12U : 25U) << piece;
    all += piece + " ";
  }
  EXPECT_EQ(all.substr(0, 30), "the old man who lived in the s");
}

TEST(Splitter, KeepsLettersAndNumbersTogether) {
  for (const std::string& piece : Split(
           "we all know that by then the new one made by the I B M of Europe cost us twenty three "
           "thousand dollars for one of them in that year")) {
    EXPECT_NE(piece.substr(0, 2), "B ");
    EXPECT_NE(piece.substr(0, 2), "M ");
    EXPECT_NE(piece.substr(0, 5), "three");
  }
}

TEST(Splitter, SplitsAtEveryMarkOnRequest) {
  SplitLimits limits;
  limits.at_every_mark = true;
  EXPECT_EQ(Split("a , b . c", limits), (Strings{"a,", "b.", "c"}));
}

TEST(Splitter, LosesNoWordAndTakesLittleTime) {
  for (const char* unit : {"word ", "a , ", "one . ", "and ", "G "}) {
    std::string text;
    for (int i = 0; i < 10000; ++i) text += unit;
    std::vector<Word> words = MergeMarks(WordsOf(text));
    const std::size_t count = words.size();
    const std::clock_t start = std::clock();  // of this process: a busy machine changes nothing
    std::size_t sum = 0;
    for (const Piece& piece : SplitLine(std::move(words), {}, true)) sum += piece.words.size();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_EQ(sum, count) << unit;
    EXPECT_LT(seconds, 1.0) << unit;  // a hundredth of it without sanitizers
  }
}

std::string ZoneText(std::string_view line, Language language = Language::kAuto) {
  std::string out;
  for (const Zone& zone : FindZones(Decode(line), language)) {
    out += (zone.language == Language::kEnglish ? "en[" : "zh[") + Encode(zone.text) + "]";
  }
  return out;
}

TEST(Zones, GiveDigitsToTheWordsAroundThem) {
  EXPECT_EQ(ZoneText("I have 3 apples, 5 pears."), "en[I have 3 apples, 5 pears.]");
  EXPECT_EQ(ZoneText("我有3个iPhone 15。"), "zh[我有3个iPhone 15。]");
  EXPECT_EQ(ZoneText("他说：I have 3 apples. 对吗？"), "zh[他说：]en[I have 3 apples. ]zh[对吗？]");
  EXPECT_EQ(ZoneText("第1章 Introduction to the Theory of Machines 2023"),
            "zh[第1章]en[ Introduction to the Theory of Machines 2023]");
  EXPECT_EQ(ZoneText("Let's go to 北京 in 2025, ok?"), "en[Let's go to ]zh[北京]en[ in 2025, ok?]");
  EXPECT_EQ(ZoneText("I bought 3个 and he bought two."),
            "en[I bought ]zh[3个]en[ and he bought two.]");
  EXPECT_EQ(ZoneText("123", Language::kMandarin), "zh[123]");
  EXPECT_EQ(ZoneText("123"), "en[123]");
}

TEST(Zones, SplitScriptsAroundLatinWords) {
  std::string out;
  for (const Zone& part : SplitScripts(Decode("我用C++写Node.js，A/B测试"))) {
    out += (part.language == Language::kEnglish ? "en[" : "zh[") + Encode(part.text) + "]";
  }
  EXPECT_EQ(out, "zh[我用]en[C++]zh[写]en[Node.js]zh[，]en[A/B]zh[测试]");
}

}  // namespace
}  // namespace timbre::text
