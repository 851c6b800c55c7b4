// Numbers that count, with their units: fractions, ratios, percentages, measures, powers.
#include "text/mandarin/scanner.h"
#include "text/mandarin/units.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

constexpr std::u32string_view kSuperscripts = U"⁰¹²³⁴⁵⁶⁷⁸⁹";

}  // namespace

// 42,195.5: groups of three behind commas count as one number only when all of them are complete.
bool Scanner::ReadWritten(std::size_t i, Number* number, std::size_t* end) const {
  std::size_t digits_end = DigitsEnd(i);
  if (digits_end == i) return false;
  number->integer = Slice(i, digits_end);
  number->fraction.clear();
  if (digits_end - i <= 3 && text_[i] != U'0') {
    std::size_t group = digits_end;
    std::u32string all = number->integer;
    while (At(group) == U',' && DigitsEnd(group + 1) == group + 4) {
      all += Slice(group + 1, group + 4);
      group += 4;
    }
    if (!(At(group) == U',' && IsAsciiDigit(At(group + 1)))) {
      number->integer = std::move(all);
      digits_end = group;
    }
  }
  if (At(digits_end) == U'.' && IsAsciiDigit(At(digits_end + 1))) {
    const std::size_t fraction_end = DigitsEnd(digits_end + 1);
    number->fraction = Slice(digits_end + 1, fraction_end);
    digits_end = fraction_end;
  }
  *end = digits_end;
  return true;
}

// 1/3 -> 三分之一
bool Scanner::Fraction() {
  const std::size_t slash = DigitsEnd(at_);
  const std::size_t end = DigitsEnd(slash + 1);
  if (At(slash) != U'/' || end == slash + 1 || slash - at_ > 4 || end - slash > 5) return false;
  if (InEquation(slash) || text_[slash + 1] == U'0') return false;
  if (At(end) == U'/' || (At(end) == U'.' && IsAsciiDigit(At(end + 1))) || IsAsciiLetter(At(end))) {
    return false;
  }
  if (Slice(at_, end) == U"24/7" || Near(12, {U"血压"})) return false;
  Say(ReadCardinal(Slice(slash + 1, end)) + U"分之" + ReadCardinal(Slice(at_, slash)), end);
  return true;
}

// 3:2, 16:9, 1:2:3
bool Scanner::Ratio() {
  std::size_t end = DigitsEnd(at_);
  std::u32string spoken = ReadCardinal(Slice(at_, end));
  bool ratio = false;
  while (In(At(end), U":：") && IsAsciiDigit(At(end + 1))) {
    const std::size_t next = DigitsEnd(end + 1);
    spoken += U"比" + ReadCardinal(Slice(end + 1, next));
    end = next;
    ratio = true;
  }
  if (!ratio) return false;
  Say(spoken, end);
  return true;
}

bool Scanner::Quantity() {
  Number number;
  std::size_t end = at_;
  if (!ReadWritten(at_, &number, &end)) return false;
  if (In(At(end), U"元块") && number.fraction.size() == 2) {  // 12.30元
    while (number.fraction.ends_with(U'0')) number.fraction.pop_back();
  }

  // What the other end of a range says about this one: 5-10%, 2-3个.
  std::size_t unit_at = end;
  if (IsRangeSign(At(end)) && IsAsciiDigit(At(end + 1))) {
    Number upper;
    ReadWritten(end + 1, &upper, &unit_at);
  }
  if (At(SkipSpace(unit_at)) == U'%' || At(SkipSpace(unit_at)) == U'‰') {
    const std::size_t sign = SkipSpace(unit_at);
    std::u32string spoken = At(sign) == U'%' ? U"百分之" : U"千分之";
    spoken += ReadNumber(number);
    Say(spoken, unit_at == end ? sign + 1 : end);
    return true;
  }

  std::u32string spoken = ReadNumber(number);
  const char32_t before = Before();
  const bool ordinal = In(before, U"第周初高大附星拜卷") && !(before == U'周' && At(end) == U'周');
  const bool counts =
      StartsWithMeasure(From(unit_at)) ||
      (At(unit_at) == U' ' && IsHan(At(unit_at + 1)) && StartsWithMeasure(From(unit_at + 1)));
  std::u32string unit;
  std::size_t unit_begin = SkipSpace(end);
  const std::size_t unit_length =
      IsHan(At(unit_begin)) && unit_begin > end ? 0 : ReadUnit(From(unit_begin), &unit);
  if (number.IsTwo() && !ordinal && (counts || MatchUnit(From(SkipSpace(unit_at))).length > 0)) {
    if (!(At(unit_at) == U'℃' || At(unit_at) == U'°')) spoken = U"两";
  }
  while (In(At(end), U"十百千万亿")) {  // 3万, 2千万, 5万km
    spoken.push_back(text_[end++]);
    unit_begin = SkipSpace(end);
    unit.clear();
  }
  const std::size_t length = unit.empty() ? ReadUnit(From(unit_begin), &unit) : unit_length;
  if (length > 0 && (unit_begin == end || !IsHan(At(unit_begin)))) {
    spoken += unit;
    end = unit_begin + length;
  }
  Say(spoken, end);
  return true;
}

// 10⁶ -> 十的六次方, x² -> x的平方; 2^10 -> 二的十次方
bool Scanner::Superscript() {
  std::u32string power;
  std::size_t end = at_;
  if (text_[at_] == U'^' && IsAsciiDigit(At(at_ + 1)) &&
      (IsAsciiDigit(Before()) || IsAsciiLetter(Before()))) {
    end = DigitsEnd(at_ + 1);
    power = Slice(at_ + 1, end);
  } else if (IsAsciiDigit(Before()) || IsAsciiLetter(Before()) || Before() == U')') {
    for (; In(At(end), kSuperscripts); ++end) {
      power.push_back(U'0' + static_cast<char32_t>(kSuperscripts.find(text_[end])));
    }
  }
  if (power.empty()) return false;
  if (power == U"2") {
    Say(U"的平方", end);
  } else if (power == U"3") {
    Say(U"的立方", end);
  } else {
    Say(U"的" + ReadCardinal(power) + U"次方", end);
  }
  return true;
}

}  // namespace timbre::text::mandarin
