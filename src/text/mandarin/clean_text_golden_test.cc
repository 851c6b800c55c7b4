// The Mandarin part of GPT-SoVITS's clean_text, as recorded from the official pipeline with
// pypinyin: phones and phones per character. Where ours differ on purpose the case says why.
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/mandarin/mandarin.h"

namespace timbre::text {
namespace {

struct Deviation {
  const char* why;
  std::string phones;
};

// By the written text.
const std::map<std::string, Deviation>& Deviations() {
  static const std::map<std::string, Deviation> deviations = {
      {"他说：“这个价格是￥1234.56，太贵了！”",
       {"the currency is spoken instead of a pause; 一千 is a quantity (yi4)",
        "t a1 sh uo1 , zh e4 g e5 j ia4 g e2 sh ir4 y i4 q ian1 EE er4 b ai3 s an1 sh ir2 s i04 d "
        "ian3 "
        "w u3 l iu4 y van2 , t ai4 g ui4 l e5 !"}},
      {"请拨打电话13800138000或者010-12345678。",
       {"the hyphen of a telephone number is no minus",
        "q ing3 b o1 d a3 d ian4 h ua4 y ao1 s an1 b a1 l ing2 l ing2 y ao1 s an1 b a1 l ing2 l "
        "ing2 "
        "l ing2 h uo4 zh e3 l ing2 y ao1 l ing2 y ao1 EE er4 s an1 s i04 w u3 l iu4 q i1 b a1 ."}},
      {"老板想买九百九十九朵玫瑰。",
       {"third tones inside a number change too: 九百 jiu2 bai3",
        "l ao2 b an2 x iang3 m ai3 j iu2 b ai3 j iu3 sh ir2 j iu3 d uo3 m ei2 g ui5 ."}},
      {"小院儿里的花儿开了，女儿笑了。",
       {"儿 that colours a syllable has no tone of its own (er5); 里 after a noun is neutral",
        "x iao3 y van4 EE er5 l i5 d e5 h ua1 EE er2 k ai1 l e5 , n v3 EE er2 x iao4 l e5 ."}},
      {"面积是12.5km²，速度80km/h。",
       {"units as they are said: 平方千米, 千米每小时",
        "m ian4 j i1 sh ir4 sh ir2 EE er4 d ian3 w u3 p ing2 f ang1 q ian1 m i3 , s u4 d u4 b a1 "
        "sh ir2 "
        "q ian1 m i2 m ei3 x iao3 sh ir2 ."}},
      {"第1/3部分完成了50%～60%。",
       {"the range sign is spoken: 到",
        "d i4 s an1 f en1 zh ir1 y i1 b u4 f en5 w an2 ch eng2 l e5 b ai3 f en1 zh ir1 w u3 sh ir2 "
        "d ao4 "
        "b ai3 f en1 zh ir1 l iu4 sh ir2 ."}},
      {"——但是，《原神》是由米哈游自主研发的一款游戏。",
       {"哈 inside a name is no particle (ha1)",
        "d an4 sh ir4 , y van2 sh en2 sh ir4 y ou2 m i3 h a1 y ou2 z i04 zh u3 y En2 f a1 d e5 y "
        "i4 "
        "k uan3 y ou2 x i4 ."}},
      {"哈哈哈", {"laughter keeps its tone", "h a1 h a1 h a1"}},
  };
  return deviations;
}

TEST(Mandarin, CleanTextGolden) {
  std::ifstream file(std::string(TIMBRE_SOURCE_DIR) + "/tests/golden/text/clean_text_v2.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  MandarinPaths paths;
  paths.jieba_dictionaries = std::string(TIMBRE_THIRD_PARTY_DIR) + "/cppjieba/dict";
  paths.pypinyin_dictionaries = std::string(TIMBRE_THIRD_PARTY_DIR) + "/dictionaries/pypinyin";
  const auto mandarin = Mandarin::Load(paths);
  ASSERT_TRUE(mandarin) << mandarin.error().message;
  int equal = 0;
  for (const auto& each : cases) {
    if (each["lang"] != "zh") continue;
    const std::string text = each["text"];
    std::string expected;
    for (std::string phone : each["phones"]) {
      expected += (expected.empty() ? "" : " ") + (phone == "SP2" ? "," : phone);
    }
    std::vector<int> per_character = each["word2ph"];
    const auto deviation = Deviations().find(text);
    if (deviation != Deviations().end()) {
      EXPECT_NE(expected, deviation->second.phones) << text;
      expected = deviation->second.phones;
    }
    // Marks in a row are one mark, and none leads: that is the front end's part.
    std::string phones;
    std::vector<int> counts;
    bool after_mark = true;
    for (const Word& word : (*mandarin)->Analyze((*mandarin)->Normalize(text), {}, nullptr)) {
      if (word.punctuation && after_mark) continue;
      after_mark = word.punctuation;
      for (const std::string& phone : word.phones) phones += (phones.empty() ? "" : " ") + phone;
      if (word.punctuation) counts.push_back(1);
      counts.insert(counts.end(), word.phones_per_character.begin(),
                    word.phones_per_character.end());
    }
    EXPECT_EQ(phones, expected) << text;
    if (deviation == Deviations().end()) {
      EXPECT_EQ(counts, per_character) << text;
      ++equal;
    }
  }
  EXPECT_EQ(equal, 16);
}

}  // namespace
}  // namespace timbre::text
