#include "text/mandarin/syllable.h"

#include <gtest/gtest.h>

#include "text/mandarin/pinyin_dictionary.h"
#include "text/phone_table.h"

namespace timbre::text::mandarin {
namespace {

std::string Phones(std::string_view pinyin) {
  const auto phones = SpellSyllable(pinyin);
  return phones ? phones->initial + " " + phones->final : "none";
}

TEST(Syllable, SpelledAsGptSovitsDoes) {
  const std::pair<const char*, const char*> cases[] = {
      {"zhong1", "zh ong1"}, {"er2", "EE er2"},     {"a5", "AA a5"},    {"ou1", "OO ou1"},
      {"yi1", "y i1"},       {"yan2", "y En2"},     {"ye2", "y E2"},    {"yuan2", "y van2"},
      {"yue4", "y ve4"},     {"yu3", "y v3"},       {"wu3", "w u3"},    {"weng1", "w eng1"},
      {"shi4", "sh ir4"},    {"si4", "s i04"},      {"ri4", "r ir4"},   {"ju2", "j v2"},
      {"xue2", "x ve2"},     {"qun2", "q vn2"},     {"lv4", "l v4"},    {"lue4", "l ve4"},
      {"liu4", "l iu4"},     {"gui4", "g ui4"},     {"lun4", "l un4"},  {"bo1", "b o1"},
      {"n2", "EE en2"},      {"m4", "m u4"},        {"ng4", "EE eng4"}, {"hng5", "h eng5"},
      {"ê1", "EE E1"},       {"jiong3", "j iong3"}, {"ri", "none"},     {"", "none"},
      {"5", "none"},         {"xyz1", "none"},      {"ma6", "none"},
  };
  for (const auto& [pinyin, phones] : cases) EXPECT_EQ(Phones(pinyin), phones) << pinyin;
}

TEST(Syllable, ReadsWhatPeopleWrite) {
  const std::pair<const char*, const char*> cases[] = {
      {"zhang3", "zhang3"}, {"ZHANG3", "zhang3"}, {"zhǎng", "zhang3"}, {"lü4", "lv4"},
      {"lu:4", "lv4"},      {"lǜ", "lv4"},        {"de", "de5"},       {"de0", "de5"},
      {"ḿ", "m2"},          {"m̀", "m4"},          {"ê̄", "ê1"},
  };
  for (const auto& [written, pinyin] : cases) EXPECT_EQ(ParsePinyin(written), pinyin) << written;
  for (const char* wrong : {"", "1", "zhang33", "zhǎng3", "hello1", "张", "zh1", "\xFF"}) {
    EXPECT_FALSE(ParsePinyin(wrong)) << wrong;
  }
}

// Every syllable that the dictionaries hold has two phones of the table in every tone.
TEST(Syllable, WholeDictionaryHasPhones) {
  const auto dictionary =
      PinyinDictionary::Load(std::string(TIMBRE_THIRD_PARTY_DIR) + "/dictionaries/pypinyin");
  ASSERT_TRUE(dictionary) << dictionary.error().message;
  EXPECT_GE(dictionary->characters(), 41900u);
  EXPECT_GE(dictionary->syllables().size(), 1400u);
  for (const std::string& syllable : dictionary->syllables()) {
    for (const char tone : {'1', '2', '3', '4', '5'}) {
      const std::string pinyin = syllable.substr(0, syllable.size() - 1) + tone;
      const auto phones = SpellSyllable(pinyin);
      ASSERT_TRUE(phones) << pinyin;
      EXPECT_TRUE(PhoneId(phones->initial) && PhoneId(phones->final)) << pinyin;
    }
  }
  EXPECT_EQ(dictionary->FirstReading(U'龘'), "da2");
  EXPECT_EQ(dictionary->FirstReading(U'Ａ'), "");
  EXPECT_EQ(dictionary->Readings(U'朴').size(), 5u);
}

}  // namespace
}  // namespace timbre::text::mandarin
