#include "text/mandarin/mandarin.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "text/phone_table.h"

namespace timbre::text {
namespace {

MandarinPaths Paths() {
  const std::filesystem::path third_party = TIMBRE_THIRD_PARTY_DIR;
  MandarinPaths paths;
  paths.jieba_dictionaries = third_party / "cppjieba/dict";
  paths.pypinyin_dictionaries = third_party / "dictionaries/pypinyin";
  return paths;
}

const Mandarin& Loaded() {
  static const auto mandarin = Mandarin::Load(Paths());
  if (!mandarin) throw std::runtime_error(mandarin.error().message);
  return **mandarin;
}

// Syllables of the text joined by spaces, marks as they are.
std::string Pinyin(std::string_view text, const Overrides& overrides = {},
                   std::vector<std::string>* skipped = nullptr) {
  std::string all;
  const auto add = [&](const std::string& part) { all += (all.empty() ? "" : " ") + part; };
  for (const Word& word : Loaded().Analyze(Loaded().Normalize(text), overrides, skipped)) {
    if (word.punctuation) add(word.phones.at(0));
    for (const std::string& syllable : word.pinyin) add(syllable);
  }
  return all;
}

TEST(Mandarin, CasesD07D08D11) {
  EXPECT_EQ(Pinyin("银行行长重新排了长假，请您换行再填，小孩儿在这儿玩儿。"),
            "yin2 hang2 hang2 zhang3 chong2 xin1 pai2 le5 chang2 jia4 , qing3 nin2 huan4 hang2 "
            "zai4 tian2 , "
            "xiao3 hai2 er5 zai4 zhe4 er5 wan2 er5 .");
  EXPECT_EQ(Pinyin("银行行长重新排了长假，请您换行再填。", {{"长假", {"zhang3", "jia4"}}}),
            "yin2 hang2 hang2 zhang3 chong2 xin1 pai2 le5 zhang3 jia4 , qing3 nin2 huan4 hang2 "
            "zai4 tian2 .");
  EXPECT_EQ(Pinyin("\xEF\xBB\xBF請問後天2點開\xE2\x80\x8B門？我們會帶著行李來。"),
            Pinyin("请问后天两点开门？我们会带着行李来。"));
  EXPECT_EQ(
      Pinyin("請問後天2點開門？我們會帶著行李來。"),
      "qing3 wen4 hou4 tian1 liang2 dian3 kai1 men2 ? wo3 men5 hui4 dai4 zhe5 xing2 li5 lai2 .");
  EXPECT_EQ(Pinyin("嗯，呣，唔，让我再想想。"), "en1 , mu3 , wu2 , rang4 wo3 zai4 xiang2 xiang5 .");
  EXPECT_EQ(Pinyin("龘字怎么写？"), "da2 zi4 zen3 me5 xie3 ?");
  std::vector<std::string> skipped;
  EXPECT_EQ(Pinyin("𠮷野家𪚥和\U000323AF", {}, &skipped), "ji2 ye3 jia1 zhe2 he2");
  EXPECT_EQ(skipped, std::vector<std::string>{"\U000323AF"});
}

TEST(Mandarin, OverridesHoldForTheWordOnly) {
  const Overrides overrides = {{"行长", {"xing2", "zhang3"}},
                               {"重庆", {"zhong4", "qing4"}},
                               {"朝阳", {"cháo", "yáng"}},
                               {"hello", {"HH", "AH0", "L", "OW1"}},
                               {"长", {"zhang3"}},
                               {"错误", {"cuo4"}}};
  EXPECT_EQ(Pinyin("行长去银行长假", overrides), "xing2 zhang3 qu4 yin2 hang2 chang2 jia4");
  EXPECT_EQ(Pinyin("重庆市和朝阳区", overrides), "zhong4 qing4 shi4 he2 chao2 yang2 qu1");
  EXPECT_EQ(Pinyin("绳子很长，长度", overrides), "sheng2 zi5 hen3 zhang3 , chang2 du4");
  EXPECT_EQ(Pinyin("错误", overrides), "cuo4 wu4");
}

TEST(Mandarin, Polyphones) {
  const std::pair<const char*, const char*> cases[] = {
      {"他还没还钱", "ta1 hai2 mei2 huan2 qian2"},
      {"书我还要还给他", "shu1 wo3 hai2 yao4 huan2 gei3 ta1"},
      {"他高兴地跳了起来", "ta1 gao1 xing4 de5 tiao4 le5 qi3 lai5"},
      {"这块地很大", "zhe4 kuai4 di4 hen3 da4"},
      {"慢慢地走", "man4 man4 de5 zou3"},
      {"跑得快", "pao3 de5 kuai4"},
      {"我得走了", "wo3 dei2 zou3 le5"},
      {"他得到了奖", "ta1 de2 dao4 le5 jiang3"},
      {"睡着了", "shui4 zhao2 le5"},
      {"他睡不着觉", "ta1 shui4 bu5 zhao2 jiao4"},
      {"看着书", "kan4 zhe5 shu1"},
      {"着急着陆", "zhao2 ji2 zhuo2 lu4"},
      {"忘不了", "wang4 bu5 liao3"},
      {"吃了饭", "chi1 le5 fan4"},
      {"我觉得睡觉好", "wo3 jue2 de5 shui4 jiao4 hao3"},
      {"东西很便宜", "dong1 xi5 hen3 pian2 yi5"},
      {"交通便利", "jiao1 tong1 bian4 li4"},
      {"首都都很大", "shou3 du1 dou1 hen3 da4"},
      {"这只猫只吃鱼", "zhe4 zhi1 mao1 zhi3 chi1 yu2"},
      {"一行代码和三行字", "yi4 hang2 dai4 ma3 he2 san1 hang2 zi4"},
      {"这样行不行", "zhe4 yang4 xing2 bu5 xing2"},
      {"他种了一种花", "ta1 zhong4 le5 yi4 zhong3 hua1"},
      {"重量很重，再重做一次", "zhong4 liang4 hen3 zhong4 , zai4 chong2 zuo4 yi2 ci4"},
      {"校长长得很高", "xiao4 zhang2 zhang3 de5 hen3 gao1"},
      {"头发长了", "tou2 fa5 zhang3 le5"},
      {"为人民服务，成为英雄", "wei4 ren2 min2 fu2 wu4 , cheng2 wei2 ying1 xiong2"},
      {"数一数参数", "shu3 yi5 shu3 can1 shu4"},
      {"音乐让人快乐", "yin1 yue4 rang4 ren2 kuai4 le4"},
      {"调整音调", "tiao2 zheng3 yin1 diao4"},
      {"好奇的爱好", "hao4 qi2 de5 ai4 hao4"},
      {"三天假期放假", "san1 tian1 jia4 qi1 fang4 jia4"},
      {"中奖的中国人", "zhong4 jiang3 de5 zhong1 guo2 ren2"},
      {"没空填空格", "mei2 kong4 tian2 kong4 ge2"},
      {"干净的干部", "gan1 jing4 de5 gan4 bu4"},
      {"大夫说大家好", "dai4 fu5 shuo1 da4 jia1 hao3"},
      {"会计会说话", "kuai4 ji4 hui4 shuo1 hua4"},
      {"目的地的确美", "mu4 di4 di4 di2 que4 mei3"},
      {"什么时候还书", "shen2 me5 shi2 hou5 huan2 shu1"},
  };
  for (const auto& [text, pinyin] : cases) EXPECT_EQ(Pinyin(text), pinyin) << text;
}

TEST(Mandarin, ToneSandhi) {
  const std::pair<const char*, const char*> cases[] = {
      {"一个", "yi2 ge5"},
      {"一样一起一天一年", "yi2 yang4 yi4 qi3 yi4 tian1 yi4 nian2"},
      {"第一，统一，周一", "di4 yi1 , tong3 yi1 , zhou1 yi1"},
      {"二零一八年一月一日", "er4 ling2 yi1 ba1 nian2 yi1 yue4 yi1 ri4"},
      {"一百一十一", "yi4 bai3 yi1 shi2 yi1"},
      {"一万一千", "yi2 wan4 yi4 qian1"},
      {"看一看", "kan4 yi5 kan4"},
      {"不去不来不好不是", "bu2 qu4 bu4 lai2 bu4 hao3 bu2 shi4"},
      {"好不好，看不懂", "hao3 bu5 hao3 , kan4 bu5 dong3"},
      {"不一样，同一个", "bu4 yi2 yang4 , tong2 yi2 ge5"},
      {"你好，老板，可以", "ni2 hao3 , lao2 ban3 , ke2 yi3"},
      {"展览馆，纸老虎", "zhan2 lan2 guan3 , zhi3 lao2 hu3"},
      {"我很好", "wo3 hen2 hao3"},
      {"五百，九百九十九朵", "wu2 bai3 , jiu2 bai3 jiu3 shi2 jiu2 duo3"},
      {"妈妈、爷爷、姐姐", "ma1 ma5 , ye2 ye5 , jie3 jie5"},
      {"看看，想想，天天", "kan4 kan5 , xiang2 xiang5 , tian1 tian1"},
      {"桌子，石头，我们，男子，分子", "zhuo1 zi5 , shi2 tou5 , wo3 men5 , nan2 zi3 , fen1 zi3"},
      {"路上，以上", "lu4 shang5 , yi3 shang4"},
      {"女儿，花儿，一点儿", "nv3 er2 , hua1 er2 , yi4 dian3 er5"},
      {"去过北京，过马路", "qu4 guo5 bei3 jing1 , guo4 ma3 lu4"},
      {"白鹅白鹅，慢慢走", "bai2 e2 bai2 e2 , man4 man4 zou3"},
  };
  for (const auto& [text, pinyin] : cases) EXPECT_EQ(Pinyin(text), pinyin) << text;
}

TEST(Mandarin, WordsCarryTheirPhones) {
  std::vector<std::string> skipped;
  const auto words = Loaded().Analyze("（你好）“世界”，abc！", {}, &skipped);
  std::string text;
  for (const Word& word : words) {
    text += word.text;
    EXPECT_EQ(word.language, Language::kMandarin);
    int sum = 0;
    for (const int count : word.phones_per_character) sum += count;
    EXPECT_EQ(word.punctuation ? 1u : static_cast<std::size_t>(sum), word.phones.size());
    for (const std::string& phone : word.phones) EXPECT_TRUE(PhoneId(phone)) << phone;
  }
  EXPECT_EQ(skipped, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(Loaded().PlainPinyin("一个，你好", {}),
            (std::vector<std::string>{"yi2", "ge4", "", "ni3", "hao3"}));
  EXPECT_TRUE(Loaded().Analyze("", {}, nullptr).empty());
}

// Long runs without a mark, rare characters, broken bytes: answered, and in time.
TEST(Mandarin, OddAndLongText) {
  for (const char* unit :
       {"龘", "的", "一", "不", "九", "儿", "\U00020BB7", "银行", "\xE4\xBD", "，"}) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += unit;
    Loaded().Analyze(Loaded().Normalize(text), {}, nullptr);
  }
}

TEST(Mandarin, ThreadsShareIt) {
  const std::string expected = Pinyin("請問2點開門？银行行长来了。");
  std::vector<std::string> answers(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& answer : answers) {
      threads.emplace_back([&answer] {
        for (int i = 0; i < 50; ++i) answer = Pinyin("請問2點開門？银行行长来了。");
      });
    }
  }
  for (const std::string& answer : answers) EXPECT_EQ(answer, expected);
}

class BrokenDictionaries : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("mandarin_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(folder_ / "pos_dict");
    Write("pos_dict/prob_start.utf8", "S,n:-1\nB,n:-1\nE,n:-3\n");
    Write("pos_dict/prob_trans.utf8", "B,n:E,n:-1\nS,n:S,n:-1\nS,n:B,n:-2\n");
    Write("pos_dict/char_state_tab.utf8", "好:S,n;B,n;\n");
    Write("pos_dict/prob_emit.utf8", "S,n:好,-1;\n");
    Write("jieba.dict.utf8", "好 5 a\n你好 3 l\n");
    Write("pinyin_dict.json", R"({"22909": "hǎo", "20320": "nǐ"})");
    Write("phrases_dict.json", R"({"你好": [["nǐ"], ["hǎo"]]})");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
  }
  std::string LoadReason() const {
    MandarinPaths paths;
    paths.jieba_dictionaries = paths.pypinyin_dictionaries = folder_;
    const auto mandarin = Mandarin::Load(paths);
    return mandarin ? "loaded" : mandarin.error().reason;
  }
  std::filesystem::path folder_;
};

TEST_F(BrokenDictionaries, AreErrorsNotAborts) {
  EXPECT_EQ(LoadReason(), "loaded");
  const std::pair<const char*, const char*> broken[] = {
      {"jieba.dict.utf8", ""},
      {"jieba.dict.utf8", "好\n"},
      {"jieba.dict.utf8", "好 many a\n"},
      {"jieba.dict.utf8", "好 0 a\n"},
      {"pinyin_dict.json", "{"},
      {"pinyin_dict.json", R"(["a"])"},
      {"pinyin_dict.json", R"({"1": {"2": "hǎo"}})"},
      {"pinyin_dict.json", R"({"22909": "???"})"},
      {"phrases_dict.json", R"({"你好": "nǐ"})"},
      {"phrases_dict.json", R"({"你好": [[["nǐ"]]]})"},
      {"phrases_dict.json", "[[[["},
      {"pos_dict/prob_start.utf8", "S,n:x\n"},
      {"pos_dict/prob_start.utf8", ""},
      {"pos_dict/prob_trans.utf8", "S,n:Q,q:-1\n"},
      {"pos_dict/char_state_tab.utf8", "好:Q,q;\n"},
      {"pos_dict/prob_emit.utf8", "S,n:好;\n"},
  };
  for (const auto& [name, content] : broken) {
    SetUp();
    Write(name, content);
    EXPECT_EQ(LoadReason(), "dictionary_broken") << name << " " << content;
  }
  SetUp();
  std::filesystem::remove(folder_ / "phrases_dict.json");
  EXPECT_EQ(LoadReason(), "dictionary_missing");
  MandarinPaths paths = Paths();
  paths.opencc_config = folder_ / "none.json";
  EXPECT_EQ(Mandarin::Load(paths).error().reason, "dictionary_missing");
}

}  // namespace
}  // namespace timbre::text
