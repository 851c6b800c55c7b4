// The front end as a whole, on the published failure cases (tests/cases, D03..D10) and on what a
// server's clients send.
#include "text/front_end.h"

#include <ctime>

#include <gtest/gtest.h>

#include "text/phone_table.h"

namespace timbre::text {
namespace {

const FrontEnd& Loaded() {
  static const std::shared_ptr<const FrontEnd> front_end = [] {
    auto loaded = FrontEnd::Load(DefaultFrontEndPaths(TIMBRE_THIRD_PARTY_DIR));
    EXPECT_TRUE(loaded) << loaded.error().message;
    return *loaded;
  }();
  return *front_end;
}

Analysis AnalyzeOk(std::string_view text, const AnalyzeOptions& options = {}) {
  auto analysis = Loaded().Analyze(text, options);
  EXPECT_TRUE(analysis) << text << ": " << analysis.error().message;
  if (!analysis) return {};
  EXPECT_FALSE(analysis->pieces.empty());
  for (const Piece& piece : analysis->pieces) {
    EXPECT_FALSE(piece.words.empty());
    EXPECT_LE(piece.pause_after, 1.0);
    for (const std::string& phone : Phones(piece)) EXPECT_TRUE(PhoneId(phone)) << phone;
  }
  return *std::move(analysis);
}

std::string ReasonOf(std::string_view text, const AnalyzeOptions& options = {}) {
  const auto analysis = Loaded().Analyze(text, options);
  return analysis ? "none" : analysis.error().reason;
}

std::vector<std::string> Texts(const Analysis& analysis) {
  std::vector<std::string> texts;
  for (const Piece& piece : analysis.pieces) texts.push_back(piece.text);
  return texts;
}

// Spoken words of all pieces, joined by spaces.
std::string Spoken(const Analysis& analysis) {
  std::string out;
  for (const Piece& piece : analysis.pieces) {
    for (const Word& word : piece.words) {
      if (!word.punctuation) out += word.text + " ";
    }
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::string EnglishPhones(const Analysis& analysis) {
  std::string out;
  for (const Piece& piece : analysis.pieces) {
    for (const Word& word : piece.words) {
      if (word.punctuation || word.language != Language::kEnglish) continue;
      for (const std::string& phone : word.phones) out += phone + " ";
    }
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::string Pinyin(const Analysis& analysis) {
  std::string out;
  for (const Piece& piece : analysis.pieces) {
    for (const Word& word : piece.words) {
      for (const std::string& syllable : word.pinyin) out += syllable + " ";
    }
  }
  if (!out.empty()) out.pop_back();
  return out;
}

TEST(FrontEnd, D03UnitsRangesHyphens) {
  const Analysis analysis = AnalyzeOk(
      "Store it at 18–22 °C, pump 3.5 m³/h, and use a 9-14 V supply in winds of 60 km/h.");
  EXPECT_EQ(
      Spoken(analysis),
      "Store it at eighteen to twenty two degrees Celsius pump three point five cubic meters per "
      "hour and use a nine to fourteen volts supply in winds of sixty kilometers per hour");
}

TEST(FrontEnd, D05AcronymsAndBrandWordsInChinese) {
  const Analysis first = AnalyzeOk("我们用SQL查库，再让GPU跑XGBoost，最后发给ChatBot。");
  EXPECT_EQ(EnglishPhones(first),
            "EH1 S K Y UW1 EH1 L JH IY1 P IY1 Y UW1 EH1 K S JH IY1 B UW1 S T CH AE1 T B AA1 T");
  EXPECT_EQ(Pinyin(first), "wo3 men5 yong4 cha2 ku4 zai4 rang4 pao3 zui4 hou4 fa1 gei3");
  const Analysis second = AnalyzeOk("这一步要靠GPT");
  EXPECT_EQ(EnglishPhones(second), "JH IY1 P IY1 T IY1");
}

// Japanese is not spoken yet; what is Chinese or English in such a sentence is complete.
TEST(FrontEnd, D06KeepsChineseAndEnglishBesideJapanese) {
  const Analysis analysis =
      AnalyzeOk("店员笑着说「いらっしゃいませ」，我点了一份“親子丼”和latte。");
  std::string han;
  for (const Piece& piece : analysis.pieces) {
    for (const Word& word : piece.words) {
      if (word.language == Language::kMandarin && !word.punctuation) han += word.text;
    }
  }
  EXPECT_EQ(han, "店员笑着说我点了一份亲子丼和");
  EXPECT_EQ(EnglishPhones(analysis), "L AA1 T EY2");
  const std::vector<std::string> kana = {"い", "ら", "っ", "し", "ゃ", "ま", "せ"};
  EXPECT_EQ(analysis.skipped, kana);
}

TEST(FrontEnd, D09OddDashesBracketsRepeatedStops) {
  const Analysis rain = AnalyzeOk("雨──停了。");
  EXPECT_EQ(rain.pieces[0].text, "雨,停了.");
  EXPECT_EQ(ReasonOf("————"), "no_speakable_text");
  EXPECT_EQ(ReasonOf("(—)"), "no_speakable_text");
  EXPECT_EQ(ReasonOf("……。。。"), "no_speakable_text");
  EXPECT_EQ(ReasonOf(""), "no_speakable_text");
  EXPECT_EQ(ReasonOf(" \n\t "), "no_speakable_text");
  const Analysis stops = AnalyzeOk("等等。。。。他说（小声地）：“走吧”……");
  std::string text;
  for (const Piece& piece : stops.pieces) text += piece.text;
  EXPECT_EQ(text, "等等.他说,小声地,走吧…");
  AnalyzeOptions every_mark;
  every_mark.split.at_every_mark = true;
  const Analysis pieces = AnalyzeOk("好，——，走", every_mark);
  EXPECT_EQ(Texts(pieces), (std::vector<std::string>{"好,", "走."}));
}

TEST(FrontEnd, D10MarkdownAndLineBreaks) {
  const Analysis menu =
      AnalyzeOk("## 今日菜单\n- **番茄**炒蛋\n- `可乐` 2瓶\n[点这里](https://example.com/a)");
  ASSERT_EQ(menu.pieces.size(), 4U);
  EXPECT_EQ(menu.pieces[0].text, "今日菜单.");
  EXPECT_EQ(menu.pieces[1].text, "番茄炒蛋.");
  EXPECT_TRUE(menu.pieces[2].text == "可乐两瓶." || menu.pieces[2].text == "可乐二瓶.")
      << menu.pieces[2].text;
  EXPECT_EQ(menu.pieces[3].text, "点这里.");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GE(menu.pieces[i].pause_after, 0.15);
    EXPECT_LE(menu.pieces[i].pause_after, 1.0);
  }
}

TEST(FrontEnd, NumbersFollowTheLanguageAroundThem) {
  EXPECT_EQ(Spoken(AnalyzeOk("I have 3 apples.")), "I have three apples");
  EXPECT_EQ(AnalyzeOk("我有3个苹果。").pieces[0].text, "我有三个苹果.");
  EXPECT_EQ(AnalyzeOk("他说：“I have 3 apples and 2 pears.”").pieces[0].text,
            "他说, I have three apples and two pears.");
  AnalyzeOptions english;
  english.language = Language::kEnglish;
  EXPECT_EQ(Spoken(AnalyzeOk("42", english)), "forty two");
  AnalyzeOptions mandarin;
  mandarin.language = Language::kMandarin;
  EXPECT_EQ(Spoken(AnalyzeOk("42", mandarin)), "四十二");
}

TEST(FrontEnd, InvisibleCharactersChangeNothing) {
  const Analysis plain = AnalyzeOk("Hello world, naive cafe.");
  const Analysis dirty = AnalyzeOk("\uFEFFHel\u200Blo\u00A0wor\u00ADld, nai\u0308ve café.\r\n");
  EXPECT_EQ(Phones(plain.pieces[0]), Phones(dirty.pieces[0]));
  EXPECT_EQ(Phones(AnalyzeOk("Ｈｅｌｌｏ 𝐰𝐨𝐫𝐥𝐝").pieces[0]),
            Phones(AnalyzeOk("Hello world").pieces[0]));
}

TEST(FrontEnd, RefusesWhatItCannotTake) {
  EXPECT_EQ(ReasonOf("ab\xFF"), "text_not_utf8");
  EXPECT_EQ(ReasonOf("\xC0\xAF"), "text_not_utf8");
  EXPECT_EQ(ReasonOf("\xED\xA0\x80"), "text_not_utf8");
  AnalyzeOptions options;
  options.max_characters = 4;
  EXPECT_EQ(ReasonOf("一二三四", options), "none");
  EXPECT_EQ(ReasonOf("一二三四五", options), "text_too_long");
  EXPECT_EQ(ReasonOf(std::string(100, 'a'), options), "text_too_long");
  const auto too_long = Loaded().Analyze("abcde", options);
  EXPECT_EQ(too_long.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(ReasonOf("😀 ♥"), "no_speakable_text");
  EXPECT_EQ(ReasonOf("привет"), "no_speakable_text");
  AnalyzeOptions reading;
  reading.overrides = {{"cat", {"K", "QQ", "T"}}};
  EXPECT_EQ(ReasonOf("cat", reading), "pronunciation_unreadable");
  reading.overrides = {{"长假", {"zhang3"}}};
  EXPECT_EQ(ReasonOf("长假", reading), "pronunciation_unreadable");
}

TEST(FrontEnd, ReportsEachSkippedCharacterOnce) {
  const Analysis analysis = AnalyzeOk("Nice 😀 work 😀 да");
  EXPECT_EQ(analysis.skipped, (std::vector<std::string>{"😀", "д", "а"}));
  EXPECT_EQ(Spoken(analysis), "Nice work");
}

TEST(FrontEnd, TakesReadingsForBothLanguages) {
  AnalyzeOptions options;
  options.overrides = {{"长假", {"zhang3", "jia4"}}, {"GPU", {"JH", "IY1"}}};
  const Analysis analysis = AnalyzeOk("放长假买GPU。", options);
  EXPECT_EQ(EnglishPhones(analysis), "JH IY1");
  EXPECT_NE(Pinyin(analysis).find("zhang3 jia4"), std::string::npos) << Pinyin(analysis);
}

TEST(FrontEnd, CutsAShortFirstPiece) {
  const Analysis analysis = AnalyzeOk(
      "The harvest was late this year, but the farmers were happy because the autumn stayed warm "
      "until "
      "the very last days of November. They sang.");
  ASSERT_GE(analysis.pieces.size(), 2U);
  EXPECT_EQ(analysis.pieces[0].text, "The harvest was late this year,");
  EXPECT_GT(analysis.pieces[0].pause_after, 0.0);
  for (const Piece& piece : analysis.pieces) {
    EXPECT_LE(piece.words.size(), 28U) << piece.text;
    EXPECT_GE(piece.text.size(), 25U) << piece.text;
  }
  const Analysis chinese = AnalyzeOk(
      "今天天气真不错，我们一起去公园散步，然后找个地方喝杯咖啡吧。河边那家小店今天换了新的招牌，也"
      "很好看。");
  EXPECT_EQ(chinese.pieces[0].text, "今天天气真不错,我们一起去公园散步,");
}

TEST(FrontEnd, LongTextsTakeLittleTime) {
  std::string text;
  while (text.size() < 9900) text += "The harvest was late this year, but the farmers were happy. ";
  Loaded();
  const std::clock_t start = std::clock();  // of this process: a busy machine changes nothing
  const Analysis analysis = AnalyzeOk(text);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(analysis.pieces.size(), 100U);
  EXPECT_LT(seconds, 2.0);  // a few hundredths without sanitizers
}

}  // namespace
}  // namespace timbre::text
