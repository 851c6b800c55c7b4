#include "text/clean_up.h"

#include <gtest/gtest.h>

#include "text/marks.h"
#include "text/transliteration.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::u32string& line : CleanUp(text)) lines.push_back(Encode(line));
  return lines;
}

using Strings = std::vector<std::string>;

TEST(CleanUp, MarkdownLosesItsSignsAndKeepsItsWords) {
  const struct {
    const char* written;
    const char* plain;
  } cases[] = {
      {"## Menu ##", "Menu ##"},
      {"**bold**, *soft*, __strong__ and ~~gone~~", "bold, soft, strong and gone"},
      {"- item", "item"},
      {"* [ ] item", "item"},
      {"> quoted > text", "quoted > text"},
      {"1. First", "1, First"},
      {"[here](http://a.b/c_(d)) now", "here now"},
      {"![a cat](cat.png)", "a cat"},
      {"see [1] and [x]", "see [1] and [x]"},
      {"call `f_x()`", "call f_x()"},
      {"3 * 4 and 5*6*7", "3 * 4 and 5*6*7"},
      {"snake_case stays", "snake_case stays"},
      {"-5 degrees", "-5 degrees"},
      {"#1 hit", "#1 hit"},
  };
  for (const auto& [written, plain] : cases) EXPECT_EQ(Lines(written), Strings{plain}) << written;
  EXPECT_EQ(Lines("```cpp\nint x;\n```\n---\n***\n| a | b |\n|---|:-:|"),
            (Strings{"int x;", "| a | b |"}));
}

TEST(CleanUp, LinesEndAtEveryKindOfBreak) {
  EXPECT_EQ(Lines("a\r\nb\rc\n\n\nd\u2028e\u0085f"), (Strings{"a", "b", "c", "d", "e", "f"}));
  EXPECT_TRUE(Lines(" \n\t\u3000 \uFEFF").empty());
}

TEST(CleanUp, InvisibleCharactersGoAndLookAlikesBecomePlain) {
  EXPECT_EQ(Lines("\uFEFFa\u200Bb\u00ADc\u0007d"), Strings{"abcd"});
  EXPECT_EQ(Lines("Ａ１％ ﬁne Ⅳ ⓧ 𝟑𝐀𝒛"), Strings{"A1% fine IV x 3Az"});
  EXPECT_EQ(Lines("雨──停 a‐b"), Strings{"雨——停 a-b"});
  EXPECT_EQ(Lines("a \u00A0\t\u3000 b"), Strings{"a b"});
}

TEST(CleanUp, HostileMarkdownTakesLittleTime) {
  for (const std::string_view unit : {"[", "![", "[a](", "(", "*", "_", "# ", "> ", "`"}) {
    std::string text;
    while (text.size() < 200000) text += unit;
    CleanUp(text);
  }
}

TEST(Utf8, TellsWellFormedFromOther) {
  EXPECT_TRUE(IsUtf8("aé好😀"));
  for (const std::string_view bad : {"\xFF", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                                     "\xF4\x90\x80\x80", "\xE5\xA5", "\x80"}) {
    EXPECT_FALSE(IsUtf8(bad));
    EXPECT_NE(Decode(bad).find(U'\uFFFD'), std::u32string::npos);
  }
  EXPECT_EQ(Encode(Decode("aé好😀")), "aé好😀");
}

TEST(Marks, AreHeardOrSilent) {
  EXPECT_EQ(PhoneMark(U'，'), U',');
  EXPECT_EQ(PhoneMark(U'。'), U'.');
  EXPECT_EQ(PhoneMark(U'“'), 0U);
  EXPECT_TRUE(IsSilentMark(U'「'));
  EXPECT_EQ(StrongerMark(U',', U'?'), U'?');
  EXPECT_EQ(StrongerMark(U'.', U'…'), U'.');
  for (const char32_t mark : {U',', U'.', U'!', U'?', U'…', U'-'}) {
    EXPECT_GE(PauseAfter(mark), 0.15);
    EXPECT_LE(PauseAfter(mark), 1.0);
  }
}

TEST(Transliteration, SpellsLatinLettersInAscii) {
  std::string out;
  for (const char32_t c : Decode("Æßéñøǎęłžťžśőưứ–“”…€")) out += AsciiOf(c).value_or("?");
  EXPECT_EQ(out, "AEssenoaelztzsouu-\"\"...EUR");
  EXPECT_EQ(AsciiOf(U'好'), std::nullopt);
  EXPECT_TRUE(IsExtendedLatin(U'ü'));
  EXPECT_FALSE(IsExtendedLatin(U'×'));
}

}  // namespace
}  // namespace timbre::text
