#include "text/mandarin/normaliser.h"

#include <algorithm>
#include <utility>

#include "text/mandarin/addresses.h"
#include "text/mandarin/scanner.h"
#include "text/mandarin/units.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

using Row = std::pair<char32_t, std::u32string_view>;
constexpr Row kSymbols[] = {
    {U'α', U"阿尔法"},   {U'β', U"贝塔"},     {U'γ', U"伽马"},     {U'δ', U"德尔塔"},
    {U'ε', U"艾普西隆"}, {U'ζ', U"泽塔"},     {U'η', U"伊塔"},     {U'θ', U"西塔"},
    {U'ι', U"约塔"},     {U'κ', U"卡帕"},     {U'λ', U"兰姆达"},   {U'μ', U"缪"},
    {U'µ', U"缪"},       {U'ν', U"纽"},       {U'ξ', U"克西"},     {U'π', U"派"},
    {U'ρ', U"柔"},       {U'σ', U"西格马"},   {U'τ', U"套"},       {U'φ', U"斐"},
    {U'χ', U"卡伊"},     {U'ψ', U"普西"},     {U'ω', U"欧米伽"},   {U'Δ', U"德尔塔"},
    {U'Σ', U"西格马"},   {U'Ω', U"欧米伽"},   {U'Φ', U"斐"},       {U'Θ', U"西塔"},
    {U'∞', U"无穷大"},   {U'√', U"根号"},     {U'№', U"号"},       {U'½', U"二分之一"},
    {U'⅓', U"三分之一"}, {U'⅔', U"三分之二"}, {U'¼', U"四分之一"}, {U'¾', U"四分之三"},
    {U'㎡', U"平方米"},  {U'㎥', U"立方米"},  {U'℃', U"摄氏度"},   {U'℉', U"华氏度"},
    {U'°', U"度"},       {U'±', U"正负"},     {U'%', U"百分号"},   {U'‰', U"千分号"},
    {U'〇', U"零"},      {U'Ⅰ', U"一"},       {U'Ⅱ', U"二"},       {U'Ⅲ', U"三"},
    {U'Ⅳ', U"四"},       {U'Ⅴ', U"五"},       {U'Ⅵ', U"六"},       {U'Ⅶ', U"七"},
    {U'Ⅷ', U"八"},       {U'Ⅸ', U"九"},       {U'Ⅹ', U"十"},       {U'²', U"平方"},
    {U'³', U"立方"},
};

// Signs between two operands.
constexpr Row kOperators[] = {
    {U'+', U"加"},       {U'−', U"减"},     {U'×', U"乘"},     {U'÷', U"除以"},
    {U'=', U"等于"},     {U'≈', U"约等于"}, {U'≠', U"不等于"}, {U'≤', U"小于等于"},
    {U'≥', U"大于等于"}, {U'<', U"小于"},   {U'>', U"大于"},   {U'*', U"乘"},
    {U'x', U"乘"},       {U'X', U"乘"},     {U'-', U"减"},     {U'/', U"除以"},
};

template <std::size_t n>
std::u32string_view Find(const Row (&table)[n], char32_t c) {
  for (const auto& [sign, spoken] : table) {
    if (sign == c) return spoken;
  }
  return {};
}

bool IsAlnum(char32_t c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }

}  // namespace

bool IsRangeSign(char32_t c) { return In(c, U"-–—~～−―‐‑"); }

std::size_t Scanner::DigitsEnd(std::size_t i) const {
  while (IsAsciiDigit(At(i))) ++i;
  return i;
}

int Scanner::Value(std::size_t begin, std::size_t end) const {
  if (end <= begin || end - begin > 6) return -1;
  int value = 0;
  for (std::size_t i = begin; i < end; ++i) value = value * 10 + static_cast<int>(text_[i] - U'0');
  return value;
}

bool Scanner::Near(std::size_t reach, std::initializer_list<std::u32string_view> words) const {
  std::size_t begin = at_ - std::min(at_, reach);
  for (std::size_t i = at_; i-- > begin;) {
    if (In(text_[i], U"。！？!?\n；;，,")) begin = i + 1;
  }
  const std::u32string_view before = Slice(begin, at_);
  for (const std::u32string_view word : words) {
    if (before.find(word) != before.npos) return true;
  }
  return false;
}

// Whether the sign at i belongs to a calculation: there is an equals sign, or another sign that
// only calculations have, in the unbroken stretch of digits and signs around it.
bool Scanner::InEquation(std::size_t i) const {
  static constexpr std::u32string_view kParts = U"0123456789.+-−×÷*/=() ";
  static constexpr std::u32string_view kSure = U"=+×÷*";
  constexpr std::size_t kReach = 40;
  for (std::size_t k = i; k < text_.size() && k < i + kReach && In(text_[k], kParts); ++k) {
    if (k != i && In(text_[k], kSure)) return true;
  }
  for (std::size_t k = i; k-- > 0 && k + kReach > i && In(text_[k], kParts);) {
    if (In(text_[k], kSure)) return true;
  }
  return false;
}

bool Scanner::Address() {
  if (IsAlnum(Before()) || In(Before(), U"@._-/")) return false;
  if (!IsAlnum(text_[at_])) return false;
  const std::size_t length = AddressLength(From(at_));
  if (length == 0) return false;
  out_ += ReadAddress(From(at_).substr(0, length));
  at_ += length;
  return true;
}

bool Scanner::Money() {
  if (IsAsciiLetter(Before()) && IsAsciiLetter(text_[at_])) return false;
  const Match currency = MatchCurrency(From(at_));
  if (currency.length == 0) return false;
  std::size_t end = SkipSpace(at_ + currency.length);
  Number amount;
  if (!ReadWritten(end, &amount, &end)) return false;
  const auto trim = [](Number* number) {
    while (number->fraction.ends_with(U'0')) number->fraction.pop_back();
  };
  trim(&amount);
  std::u32string spoken = ReadNumber(amount);
  Number upper;
  std::size_t upper_end = 0;
  if (IsRangeSign(At(end)) && ReadWritten(end + 1, &upper, &upper_end)) {
    trim(&upper);
    spoken += U"到" + ReadNumber(upper);
    end = upper_end;
  } else if (amount.IsTwo() && In(At(end), U"万亿千百")) {
    spoken = U"两";
  }
  while (In(At(end), U"十百千万亿多余几")) spoken.push_back(text_[end++]);
  if (!From(end).starts_with(currency.spoken) && At(end) != U'块' && At(end) != U'元') {
    spoken += currency.spoken;
  }
  std::u32string divisor;
  if (At(end) == U'/' && !IsAsciiDigit(At(end + 1))) {
    if (const std::size_t length = ReadUnit(From(end + 1), &divisor); length > 0) {
      spoken += U"每" + divisor;
      end += 1 + length;
    }
  }
  Say(spoken, end);
  return true;
}

// A minus or plus that belongs to the number behind it.
bool Scanner::NegativeSign() {
  const char32_t sign = text_[at_];
  if (!In(sign, U"-−–+")) return false;
  const char32_t next = At(at_ + 1);
  const bool money = MatchCurrency(From(at_ + 1)).length > 0;
  if (!IsAsciiDigit(next) && !money) return false;
  const char32_t before = Before();
  if (IsAlnum(before) || In(before, U"一二三四五六七八九十百千万零年月日号时点分秒%‰℃°度)）"))
    return false;
  if (sign == U'+') {
    const bool china = From(at_).starts_with(U"+86");
    const std::size_t number_at = china && In(At(at_ + 3), U" -") ? at_ + 4 : at_ + 3;
    if (china && IsAsciiDigit(At(number_at))) {
      Say(U"加八六", number_at);
      quantity_end_ = static_cast<std::size_t>(-1);
    } else {
      Say(U"正", at_ + 1);
    }
    return true;
  }
  // Find the unit, past the other end of a range.
  Number number;
  std::size_t end = at_ + 1;
  ReadWritten(end, &number, &end);
  if (IsRangeSign(At(end)) || At(end) == U'到' || At(end) == U'至') {
    std::size_t upper = end + 1;
    if (IsRangeSign(At(upper))) ++upper;
    ReadWritten(upper, &number, &end);
  }
  end = SkipSpace(end);
  const bool degrees = At(end) == U'℃' || From(end).starts_with(U"°C") ||
                       From(end).starts_with(U"摄氏度") ||
                       (At(end) == U'度' && Near(12, {U"温", U"气候", U"天气", U"零"}));
  Say(degrees ? U"零下" : U"负", at_ + 1);
  return true;
}

// Between two numbers: 到, 比 for a score, 减 in a calculation.
bool Scanner::RangeSign() {
  const bool after_unit = IsHan(Before()) && IsAsciiDigit(Before(2));  // 1月5日-7日, 3点-5点
  if (quantity_end_ != at_ && !after_unit) return false;
  std::size_t i = SkipSpace(at_);
  if (!IsRangeSign(At(i))) return false;
  const std::size_t sign = i;
  i = SkipSpace(i + 1);
  const bool signed_next = In(At(i), U"-−+") && IsAsciiDigit(At(i + 1));
  if (!IsAsciiDigit(At(i)) && !signed_next && MatchCurrency(From(i)).length == 0) return false;
  std::u32string_view word = U"到";
  if (In(text_[sign], U"-−") && InEquation(sign)) {
    word = U"减";
  } else if (text_[sign] == U'-') {
    const std::size_t end = DigitsEnd(i);
    const bool score =
        end - i <= 3 && !StartsWithMeasure(From(end)) &&
        Near(16, {U"比分", U"以", U"胜", U"战平", U"击败", U"领先", U"落后", U"扳成"});
    if (score) word = U"比";
  }
  out_ += word;
  at_ = i;
  quantity_end_ = static_cast<std::size_t>(-1);
  if (signed_next) NegativeSign();
  return true;
}

bool Scanner::Operator() {
  const char32_t sign = text_[at_];
  const std::u32string_view spoken = Find(kOperators, sign);
  if (spoken.empty()) return false;
  std::size_t left = at_;
  if (left > 0 && text_[left - 1] == U' ') --left;
  const char32_t before = left > 0 ? text_[left - 1] : 0;
  const std::size_t right = SkipSpace(at_ + 1);
  const char32_t after = At(right);
  const bool digits =
      (IsAsciiDigit(before) || before == U')') && (IsAsciiDigit(after) || after == U'(');
  if (In(sign, U"-−/*xX") && !digits) return false;
  if (sign == U'/' && !InEquation(at_)) return false;
  if (In(sign, U"-−") && !InEquation(at_) && left == at_) return false;
  if (sign == U'+' && IsAlnum(before) && !IsAlnum(after) && after != U'(') {  // C++, 18+
    const bool twice = At(at_ + 1) == U'+';
    Say(twice ? U"加加" : U"加", at_ + (twice ? 2 : 1));
    return true;
  }
  const auto operand = [](char32_t c) { return IsAlnum(c) || In(c, U"()²³πθαβxyz") || IsHan(c); };
  const bool open_left = In(sign, U"≤≥≈<>") && IsAsciiDigit(after);
  const bool open_right = sign == U'=' && In(after, U"?？");
  const bool signed_right = In(after, U"-−") && IsAsciiDigit(At(right + 1));
  if (!operand(before) && !open_left) return false;
  if (!operand(after) && !open_right && !signed_right) return false;
  if (In(sign, U"<>") && !IsAlnum(after)) return false;
  while (out_.ends_with(U' ')) out_.pop_back();
  out_ += spoken;
  at_ = right;
  quantity_end_ = static_cast<std::size_t>(-1);
  return true;
}

bool Scanner::Symbol() {
  const char32_t c = text_[at_];
  if (c >= U'①' && c <= U'⑳') {
    const char32_t value = c - U'①' + 1;
    const std::u32string digits = {U'0' + value / 10, U'0' + value % 10};
    Say(ReadCardinal(digits), at_ + 1);
    return true;
  }
  if (c == U'&' && (IsHan(Before()) || IsHan(At(at_ + 1)))) {
    Say(U"和", at_ + 1);
    return true;
  }
  if (c == U'/' && IsAsciiDigit(Before()) && IsAsciiDigit(At(at_ + 1))) {
    Say(Near(12, {U"血压"}) ? U"，" : U"斜杠", at_ + 1);
    return true;
  }
  if (c == U'/' && IsHan(Before()) && IsHan(At(at_ + 1))) {  // 男/女
    Say(U"、", at_ + 1);
    return true;
  }
  // GPT-4, iPhone-15: the hyphen binds.
  if (c == U'-' && IsAlnum(Before()) && IsAlnum(At(at_ + 1)) &&
      (IsAsciiDigit(Before()) || IsAsciiDigit(At(at_ + 1)))) {
    Say(U" ", at_ + 1);
    return true;
  }
  const std::u32string_view spoken = Find(kSymbols, c);
  if (spoken.empty()) return false;
  out_ += spoken;
  ++at_;
  return true;
}

bool Scanner::SpokenNumber() {
  if (!IsAsciiDigit(text_[at_])) return false;
  const std::size_t end = DigitsEnd(at_);
  return SerialNumber() || Telephone() || Date() || Time() || Anniversary() || Version() ||
         Chain() || Fraction() || Ratio() || YearRange(end) || Year(end) || Decade(end) ||
         PaddedCount(end) || Code(end) || Quantity();
}

std::u32string Scanner::Run() {
  out_.reserve(text_.size() + text_.size() / 2);
  while (at_ < text_.size()) {
    if (Address() || Money() || NegativeSign() || RangeSign() || Operator() || SpokenNumber() ||
        Superscript() || Symbol()) {
      continue;
    }
    out_.push_back(text_[at_++]);
  }
  return std::move(out_);
}

std::u32string WriteOut(std::u32string_view text) { return Scanner(text).Run(); }

}  // namespace timbre::text::mandarin
