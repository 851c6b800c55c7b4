#include "text/mandarin/polyphones.h"

#include <string_view>

namespace timbre::text::mandarin {
namespace {

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

// What stands around one character of one word.
struct Context {
  const std::vector<Token>& words;
  std::size_t index;
  std::size_t at;

  const Token& word() const { return words[index]; }
  bool alone() const { return word().characters.size() == 1; }
  bool last() const { return at + 1 == word().characters.size(); }
  // Neighbouring characters and words; 0 and nullptr at the ends of the run.
  char32_t before(std::size_t steps = 1) const {
    std::size_t w = index, c = at;
    for (; steps > 0; --steps) {
      if (c > 0) {
        --c;
      } else {
        if (w == 0) return 0;
        c = words[--w].characters.size() - 1;
      }
    }
    return words[w].characters[c];
  }
  char32_t after() const {
    if (!last()) return word().characters[at + 1];
    return index + 1 < words.size() ? words[index + 1].characters[0] : 0;
  }
  const Token* previous() const { return index > 0 ? &words[index - 1] : nullptr; }
  const Token* next() const { return index + 1 < words.size() ? &words[index + 1] : nullptr; }
  bool PreviousTag(std::string_view first_letters) const {
    return previous() != nullptr && !previous()->tag.empty() &&
           first_letters.find(previous()->tag[0]) != first_letters.npos;
  }
  bool NextTag(std::string_view first_letters) const {
    return next() != nullptr && !next()->tag.empty() &&
           first_letters.find(next()->tag[0]) != first_letters.npos;
  }
  bool AfterCount() const {  // 三_, 这_, 每_, 第三_
    return IsNumberCharacter(before()) || In(before(), U"这那哪每某各");
  }
};

std::string ReadZhe(const Context& here) {  // 着
  if (In(here.before(), U"不得") && here.before(2) != 0) return "zhao2";
  if (In(here.before(), U"睡找碰够猜逮捞烧点") && In(here.after(), U"了没吗")) return "zhao2";
  return "zhe5";
}

std::string ReadLe(const Context& here) {  // 了
  const bool after_possible = In(here.before(), U"不得") && here.alone();
  if (after_possible && here.index >= 2 && here.words[here.index - 2].tag.starts_with('v')) {
    return "liao3";
  }
  return "le5";
}

std::string ReadDi(const Context& here) {  // 地
  if (!here.alone()) return here.last() && here.word().tag.starts_with('d') ? "de5" : "di4";
  if (here.previous() == nullptr || here.next() == nullptr) return "di4";
  const bool manner = here.PreviousTag("abdzilo") ||
                      (here.previous()->characters.size() >= 2 && here.PreviousTag("mvnx"));
  return manner && !here.NextTag("nfumq") ? "de5" : "di4";
}

std::string ReadDe(const Context& here) {  // 得
  if (!here.alone()) return here.at > 0 ? "de5" : "de2";
  const bool verb_follows = here.NextTag("vpd") && !In(here.after(), U"了到过出着");
  if (here.PreviousTag("va")) return "de5";
  if (here.previous() != nullptr && verb_follows) return "dei3";
  return here.previous() == nullptr ? "de2" : "de5";
}

std::string ReadHai(const Context& here) {  // 还
  if (!here.alone()) return "";
  if (In(here.after(), U"钱债书账贷款给清礼完")) return "huan2";
  return here.next() == nullptr && In(here.before(), U"要来去没未能已不") ? "huan2" : "hai2";
}

std::string ReadHang(const Context& here) {  // 行
  const bool fine = In(here.after(), U"吗不吧么啊的了");
  // 代表团一行, 一行五人: a party, not a line.
  const bool party = here.before() == U'一' && (IsNumberCharacter(here.after()) ||
                                                (here.after() == 0 && here.PreviousTag("n")));
  if (here.last() && here.AfterCount() && !fine && !party) return "hang2";
  return "";
}

std::string ReadZhang(const Context& here) {  // 长
  if (!here.alone()) {
    const bool title = In(here.before(),
                          U"校局部处科厅市县省区镇乡村班组队排连营团旅师军舰船机会院"
                          U"所站社店厂行董总委州庭庄馆帮族酋首亭");
    return here.last() && here.at > 0 && title && here.word().tag.starts_with('n') ? "zhang3" : "";
  }
  const bool how_long = In(here.before(), U"太很好么那多不更最点较够越特这还有");
  if (In(here.after(), U"得出着满成高大胖歪毛草痘肉胡")) return how_long ? "chang2" : "zhang3";
  return here.after() == U'了' && !how_long ? "zhang3" : "";
}

std::string ReadChong(const Context& here) {  // 重
  if (here.last() && IsNumberCharacter(here.before())) return "chong2";
  if (!here.alone() || In(here.before(), U"太很更最较么多不体净毛")) return "";
  return here.NextTag("v") ? "chong2" : "";
}

std::string ReadWei(const Context& here) {  // 为
  if (!here.alone()) return here.at > 0 && here.last() ? "wei2" : "";
  const bool willing = In(here.before(), U"要能会该想应愿可不来去就");
  if (here.NextTag("r") || willing) return "wei4";
  if (here.PreviousTag("v") || here.NextTag("m")) return "wei2";
  if (In(here.before(), U"分称名译改变升定设视化转列选评誉命最极较尤更颇甚均皆同")) return "wei2";
  for (std::size_t i = 0; i < here.index; ++i) {
    if (here.words[i].characters == U"以" || here.words[i].characters == U"被") return "wei2";
  }
  if (!here.PreviousTag("n")) return "wei4";
  for (std::size_t i = here.index + 2; i < here.words.size(); ++i) {
    if (here.words[i].tag.starts_with('v')) return "wei4";
  }
  return "wei2";
}

std::string ReadZhi(const Context& here) {  // 只
  if (!here.last() || !here.AfterCount()) return "";
  return here.NextTag("vdrp") && !IsNumberCharacter(here.before()) ? "" : "zhi1";
}

std::string ReadZhong4(const Context& here) {  // 种
  if (!here.last() || here.AfterCount()) return "";
  return In(here.after(), U"树花菜地田草水粮下了着植在上满过瓜豆果") ? "zhong4" : "";
}

std::string ReadShu(const Context& here) {  // 数
  if (!here.alone()) return "";
  return In(here.after(), U"不了着到出钱羊星一") || here.before() == U'数' ? "shu3" : "";
}

std::string ReadDao(const Context& here) {  // 倒
  if (!here.alone()) return "";
  if (In(here.after(), U"水茶酒车垃退计是也杯")) return "dao4";
  if (!In(here.after(), U"了上满出一")) return "";
  for (std::size_t i = here.index + 1; i < here.words.size() && i < here.index + 6; ++i) {
    for (const char32_t c : here.words[i].characters) {
      if (In(c, U"杯茶水酒碗汤奶")) return "dao4";
    }
  }
  return "";
}

std::string ReadZhong(const Context& here) {  // 中
  if (!here.alone()) return "";
  if (In(here.before(), U"打射击投猜选命")) return "zhong4";
  return In(here.after(), U"了奖毒弹计招标") && here.previous() != nullptr &&
                 here.PreviousTag("rdv")
             ? "zhong4"
             : "";
}

std::string ReadGan(const Context& here) {  // 干
  return here.alone() && In(here.before(), U"晒擦晾吹烘很太口风喝弄不") &&
                 !In(here.after(), U"了什活嘛吗这那")
             ? "gan1"
             : "";
}

std::string ReadJia(const Context& here) {  // 假
  if (here.last() && In(here.before(), U"放请休年病事产婚天周月个次长")) return "jia4";
  return "";
}

std::string ReadJiao(const Context& here) {  // 觉
  if (!here.last()) return "";
  for (std::size_t steps = 1; steps <= 4; ++steps) {
    if (In(here.before(steps), U"睡午懒")) return "jiao4";
  }
  return here.before() == U'大' || here.before() == U'个' ? "jiao4" : "";
}

}  // namespace

std::string ReadingByContext(const std::vector<Token>& words, std::size_t index, std::size_t at) {
  const Context here{words, index, at};
  switch (words[index].characters[at]) {
    case U'着':
      return ReadZhe(here);
    case U'了':
      return ReadLe(here);
    case U'地':
      return ReadDi(here);
    case U'得':
      return ReadDe(here);
    case U'还':
      return ReadHai(here);
    case U'行':
      return ReadHang(here);
    case U'长':
      return ReadZhang(here);
    case U'重':
      return ReadChong(here);
    case U'为':
      return ReadWei(here);
    case U'只':
      return ReadZhi(here);
    case U'种':
      return ReadZhong4(here);
    case U'数':
      return ReadShu(here);
    case U'倒':
      return ReadDao(here);
    case U'中':
      return ReadZhong(here);
    case U'干':
      return ReadGan(here);
    case U'假':
      return ReadJia(here);
    case U'觉':
      return ReadJiao(here);
    case U'卷':
      return here.last() && IsNumberCharacter(here.before()) ? "juan4" : "";
    case U'率':
      return here.alone() && here.NextTag("nv") && !here.PreviousTag("nv") ? "shuai4" : "";
    case U'量':
      return here.alone() && In(here.after(), U"一了体身尺血") ? "liang2" : "";
    case U'处':
      return here.alone() && here.NextTag("p") ? "chu3" : "";
    case U'转':
      return here.alone() && In(here.after(), U"了着圈") ? "zhuan4" : "";
    case U'吐':
      return here.alone() && In(here.after(), U"了血") ? "tu4" : "";
    case U'啊':
      return here.index == 0 && here.at == 0 ? "a1" : "";
    case U'儿':
      return !here.last() || here.at == 0 ? "er2" : "";
    default:
      return "";
  }
}

}  // namespace timbre::text::mandarin
