// What a reader would say for numbers, dates, money and signs. Needs no dictionary but OpenCC's.
#include "text/mandarin/normaliser.h"

#include <gtest/gtest.h>

#include "text/mandarin/numerals.h"
#include "text/mandarin/script.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

std::string Spoken(const std::string& text) {
  static const auto converter = ScriptConverter::Load("t2s.json");
  const std::string tidy = Encode(TidyCharacters(Decode(text)));
  return Encode(WriteOut(Decode(converter->Simplify(tidy))));
}

struct Case {
  const char* written;
  const char* spoken;
};
void Check(std::initializer_list<Case> cases) {
  for (const auto& [written, spoken] : cases) EXPECT_EQ(Spoken(written), spoken) << written;
}

TEST(Numerals, Cardinals) {
  const std::pair<const char32_t*, const char32_t*> cases[] = {
      {U"0", U"零"},
      {U"2", U"二"},
      {U"10", U"十"},
      {U"12", U"十二"},
      {U"110", U"一百一十"},
      {U"200", U"两百"},
      {U"1002", U"一千零二"},
      {U"1010", U"一千零一十"},
      {U"2222", U"两千二百二十二"},
      {U"20000", U"两万"},
      {U"10010", U"一万零一十"},
      {U"42195", U"四万两千一百九十五"},
      {U"100000005", U"一亿零五"},
      {U"120000000", U"一亿两千万"},
      {U"1411778724", U"十四亿一千一百七十七万八千七百二十四"},
      {U"1000000000000", U"一万亿"},
      {U"007", U"七"},
  };
  for (const auto& [digits, spoken] : cases) {
    EXPECT_EQ(Encode(ReadCardinal(digits)), Encode(spoken));
  }
  EXPECT_EQ(Encode(ReadDigits(U"10086", true)), "幺零零八六");
}

TEST(Normaliser, CasesD01D02D04D08) {
  Check({
      {"全程42,195米，比98年5月20日的纪录快了200倍，不到10:05就跑完了。",
       "全程四万两千一百九十五米，比九八年五月二十日的纪录快了两百倍，不到十点零五分就跑完了。"},
      {"套餐￥39.90，海外版US$12.50，订购请拨010-5550-0123转806。",
       "套餐三十九点九元，海外版十二点五美元，订购请拨零幺零五五五零零幺二三转八零六。"},
      {"官网是www.example.cn/help，邮箱写chen-2@example.com就行。",
       "官网是 W W W 点 example 点 C N 斜杠 help ，邮箱写 chen 杠 二 艾特 example 点 com 就行。"},
      {"\xEF\xBB\xBF請問後天2點開\xE2\x80\x8B門？我們會帶著行李來。",
       "请问后天两点开门？我们会带着行李来。"},
  });
}

TEST(Normaliser, DatesAndTimes) {
  Check({
      {"他1998年出生，08年结婚", "他一九九八年出生，零八年结婚"},
      {"等了10年，成立20年了", "等了十年，成立二十年了"},
      {"80后喜欢90年代的歌", "八零后喜欢九十年代的歌"},
      {"2024/5/20 10:05", "二零二四年五月二十日 十点零五分"},
      {"2024-05-20和20240520", "二零二四年五月二十日和二零二四年五月二十日"},
      {"2019-2021年，2019年-2021年", "二零一九到二零二一年，二零一九年到二零二一年"},
      {"5月1日-7日", "五月一日到七日"},
      {"2023-24赛季", "二零二三到二四赛季"},
      {"05月08日09时05分", "五月八日九时零五分"},
      {"下午3:30到5:45，12:00吃饭，2:00睡觉", "下午三点半到五点四十五分，十二点吃饭，两点睡觉"},
      {"营业时间9:00-17:30", "营业时间九点到十七点三十分"},
      {"22:15:07", "二十二点十五分七秒"},
      {"9·11事件，3.15晚会", "九一一事件，三一五晚会"},
      {"2月2日2点", "二月二日两点"},
  });
}

TEST(Normaliser, MoneyUnitsAndPercent) {
  Check({
      {"￥5万，$3.5亿，€20，HK$100", "五万元，三点五亿美元，二十欧元，一百港元"},
      {"￥100元", "一百元"},
      {"¥1000/人，2000元/月，￥30-50", "一千元每人，两千元每月，三十到五十元"},
      {"12.30元", "十二点三元"},
      {"气温是-3.5℃，湿度60%", "气温是零下三点五度，湿度百分之六十"},
      {"-5~3℃，18–22 °C", "零下五到三度，十八到二十二度"},
      {"占比5-10%，同比-2.3%，3‰", "占比百分之五到百分之十，同比负百分之二点三，千分之三"},
      {"面积12.5km²，速度80km/h", "面积十二点五平方千米，速度八十千米每小时"},
      {"身高1.75m，体重65 kg，5m³", "身高一点七五米，体重六十五千克，五立方米"},
      {"220V，60W，5A级景区", "两百二十伏，六十瓦，五A级景区"},
      {"血压120/80mmHg", "血压一百二十，八十毫米汞柱"},
  });
}

TEST(Normaliser, CountsRangesAndFractions) {
  Check({
      {"2个人，2-3个，12个，102只", "两个人，两到三个，十二个，一百零二只"},
      {"第2名，初2，2楼2班2号", "第二名，初二，二楼二班二号"},
      {"2000万，2百，2.5倍", "两千万，两百，二点五倍"},
      {"第1/3部分，2/5反对", "第三分之一部分，五分之二反对"},
      {"3-5公里，50%～60%", "三到五公里，百分之五十到百分之六十"},
      {"比分是3:2，以2-1获胜，比例为16:9", "比分是三比二，以二比一获胜，比例为十六比九"},
      {"3+5=8，2×4=8，7-2=5，10÷2=5", "三加五等于八，二乘四等于八，七减二等于五，十除以二等于五"},
      {"x²，10⁶，2^10", "x的平方，十的六次方，二的十次方"},
      {"±5，≥18岁，π≈3.14", "正负五，大于等于十八岁，派约等于三点一四"},
      {"1,000,000和42,195.5", "一百万和四万两千一百九十五点五"},
      {"①打开，Ⅲ级，½", "一打开，三级，二分之一"},
      {"1.2.3版本", "一点二点三版本"},
  });
}

TEST(Normaliser, NumbersThatNameSomething) {
  Check({
      {"13800138000，138-0013-8000", "幺三八零零幺三八零零零，幺三八零零幺三八零零零"},
      {"010-12345678，400-820-8820", "零幺零幺二三四五六七八，四零零八二零八八二零"},
      {"+86 13800138000，(010)12345678", "加八六幺三八零零幺三八零零零，(零幺零)幺二三四五六七八"},
      {"请拨打110，打了110个电话", "请拨打幺幺零，打了一百一十个电话"},
      {"客服10086，12306网站", "客服幺零零八六，幺二三零六网站"},
      {"身份证号是110101199001011234", "身份证号是幺幺零幺零幺幺九九零零幺零幺幺二三四"},
      {"验证码是3829，007", "验证码是三八二九，零零七"},
      {"1208室，G1234次，MH370", "幺二零八室，G幺二三四次，MH三七零"},
      {"iPhone15，A4纸，GPT-4，Python3.11", "iPhone十五，A四纸，GPT 四，Python三点一一"},
      {"房间2-301，3-2-501", "房间二杠三零幺，三杠二杠五零幺"},
      {"192.168.1.1", "一九二点一六八点一点一"},
      {"总人口1411778724人", "总人口十四亿一千一百七十七万八千七百二十四人"},
      {"abc_123@qq.com，https://github.com/a",
       " abc 下划线 一二三 艾特 Q Q 点 com ， github 点 com 斜杠 A "},
      {"C++，18+，A&B和C", "C加加，十八加，A&B和C"},
  });
}

// Anything at all comes back as text, and in time that grows with its length only.
TEST(Normaliser, OddInput) {
  for (const char* odd : {"",       "-",          "--1",
                          "1--2",   "1-",         ":1",
                          "1:",     "1/",         "/1",
                          "0/0",    "￥",         "$-",
                          "@",      "1,,2",       "1.2.",
                          "99:99",  "2024/13/45", "^2",
                          "²",      "+",          "+86",
                          "a@",     "http://",    "www.",
                          "%",      "1/2/3/4",    "1-2-3-4-5-6-7",
                          "０１２", "\xFF\xFE",   "1.2.3.4.5.6"}) {
    Spoken(odd);
  }
  for (const char* unit :
       {"1-", "1,", "1.", "+1", "a.", "9:", "￥1", "1/", "-", "以1-2", "《", "著", "x^2"}) {
    std::string text;
    for (int i = 0; i < 1500; ++i) text += unit;
    EXPECT_FALSE(Spoken(text).empty());
  }
}

}  // namespace
}  // namespace timbre::text::mandarin
