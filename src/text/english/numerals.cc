#include "text/english/numerals.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "text/english/number_words.h"
#include "text/english/units.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

bool IsOneOf(std::string_view word, std::span<const std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

bool IsYear(const Number& number) {
  return number.plain() && number.whole.size() == 4 && number.whole >= "1000" &&
         number.whole <= "2099";
}

// 1984 alone is a year, 1500 only after a word that years follow.
bool ReadsAsYear(const Scanner& scanner, const Number& number) {
  static constexpr std::array<std::string_view, 27> kBeforeYears = {
      "in",     "since",  "of",     "by",   "until",  "till",  "before",    "after", "during",
      "year",   "early",  "late",   "mid",  "circa",  "from",  "between",   "to",    "and",
      "spring", "summer", "autumn", "fall", "winter", "class", "copyright", "born",  "around"};
  if (!IsYear(number)) return false;
  if (number.whole >= "1900") return true;
  const std::string before = LowerAscii(scanner.last_word());
  return IsOneOf(before, kBeforeYears) || !MonthName(scanner.last_word()).empty();
}

// 1.2.3 or 192.168.1.1.
bool ReadVersion(Scanner& scanner) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (parts.size() < 8) {
    parts.push_back(scanner.Digits(at, 8));
    at += parts.back().size();
    if (scanner.Peek(at) != U'.' || !IsAsciiDigit(scanner.Peek(at + 1))) break;
    ++at;
  }
  if (parts.size() < 3) return false;
  const char* const point = parts.size() == 3 ? "point" : "dot";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) scanner.Say(point);
    scanner.Say(parts[i].size() > 1 && parts[i][0] == '0' ? DigitWords(parts[i])
                                                          : CardinalWords(parts[i]));
  }
  scanner.Advance(at);
  return true;
}

// 21st, 3rd.
bool ReadOrdinal(Scanner& scanner) {
  const Number number = ParseNumber(scanner, 0);
  if (!number.fraction.empty() || !scanner.EndsAt(number.length + 2)) return false;
  const std::string suffix = LowerAscii(scanner.Letters(number.length, 3));
  if (suffix != "st" && suffix != "nd" && suffix != "rd" && suffix != "th") return false;
  scanner.Say(OrdinalWords(number.whole));
  scanner.Advance(number.length + 2);
  return true;
}

// 1990s, 90s, 20's.
bool ReadDecade(Scanner& scanner) {
  const std::string digits = scanner.Digits(0, 5);
  const std::size_t size = digits.size();
  if ((size != 2 && size != 4) || digits.back() != '0') return false;
  const std::size_t quote = scanner.Peek(size) == U'\'' ? 1 : 0;
  if (scanner.Peek(size + quote) != U's' || !scanner.EndsAt(size + quote + 1)) return false;
  if (size == 2 && digits == "00") return false;
  if (size == 4) {
    const std::string_view decade = std::string_view(digits).substr(2);
    const bool millennium = digits[1] == '0' && decade == "00";
    if (digits < "1100" || digits > "2990") return false;
    scanner.Say(millennium ? Plural(CardinalWords(digits))
                           : CardinalWords(digits.substr(0, 2)) + " " + DecadeWords(decade));
  } else {
    scanner.Say(DecadeWords(digits));
  }
  scanner.Advance(size + quote + 1);
  return true;
}

std::string FractionWords(int above, int below) {
  const std::string number = CardinalWords(std::to_string(above));
  if (below == 2) return number + (above == 1 ? " half" : " halves");
  const std::string part = below == 4 ? "quarter" : OrdinalWords(std::to_string(below));
  return number + " " + (above == 1 ? part : Plural(part));
}

// 1/2, 3/4; 24/7 and 50/50 are two numbers.
bool ReadFraction(Scanner& scanner) {
  const std::string above = scanner.Digits(0, 4);
  if (above.empty() || above.size() > 3 || scanner.Peek(above.size()) != U'/') return false;
  const std::string below = scanner.Digits(above.size() + 1, 4);
  const std::size_t end = above.size() + 1 + below.size();
  if (below.empty() || below.size() > 3 || !scanner.EndsAt(end)) return false;
  if (scanner.Peek(end) == U'/' ||
      (scanner.Peek(end) == U'.' && IsAsciiDigit(scanner.Peek(end + 1)))) {
    return false;
  }
  const int a = std::stoi(above);
  const int b = std::stoi(below);
  const bool parts =
      a >= 1 && a < b && (b <= 20 || (b == 100 && a == 1)) && above[0] != '0' && b >= 2;
  if (parts) {
    scanner.Say(FractionWords(a, b));
  } else if ((a == b && a != 50) || (b == 100 && a > 1)) {
    scanner.Say(CardinalWords(above) + " out of " + CardinalWords(below));
  } else if (a < b && b % 10 == 0) {
    scanner.Say(CardinalWords(above) + " out of " + CardinalWords(below));
  } else {
    scanner.Say(CardinalWords(above) + " " + CardinalWords(below));
  }
  scanner.Advance(end);
  return true;
}

// 9-14 V, 18–22 °C, 1990–2000, 5-10 million.
bool ReadRange(Scanner& scanner) {
  const Number first = ParseNumber(scanner, 0);
  std::size_t at = first.length;
  const bool spaced = scanner.Peek(at) == U' ' && scanner.Peek(at + 2) == U' ';
  if (spaced) ++at;
  const char32_t dash = scanner.Peek(at);
  if (!IsRangeDash(dash) || (spaced && dash != U'–' && dash != U'—')) return false;
  at += spaced ? 2 : 1;
  const Number second = ParseNumber(scanner, at);
  if (second.length == 0) return false;
  at += second.length;
  const bool short_year = IsYear(first) && second.whole.size() == 2;                 // 2019-20
  if (dash == U'-' && second.value() <= first.value() && !short_year) return false;  // 747-400
  if ((IsRangeDash(scanner.Peek(at)) || scanner.Peek(at) == U'/') &&
      IsAsciiDigit(scanner.Peek(at + 1))) {
    return false;  // 1-2-3
  }
  const Unit unit = FindUnit(scanner, at, false);
  if (unit.length == 0 && !scanner.EndsAt(at) && FindMagnitude(scanner, at, false).length == 0) {
    return false;  // 3-4x
  }
  const bool years = unit.length == 0 && IsYear(first) && second.plain() &&
                     (IsYear(second) || second.whole.size() == 2);
  if (years) {
    scanner.Say(YearWords(first.whole) + " to " +
                (IsYear(second) ? YearWords(second.whole) : CardinalWords(second.whole)));
  } else {
    scanner.Say(QuantityWords(first) + " to " + QuantityWords(second));
  }
  scanner.Advance(at);
  const Magnitude magnitude = FindMagnitude(scanner, 0, false);
  scanner.Say(magnitude.word);
  scanner.Advance(magnitude.length);
  const Unit after = magnitude.length > 0 ? FindUnit(scanner, 0, false) : unit;
  scanner.Say(after.words);
  scanner.Advance(after.length);
  return true;
}

// A number stuck to capital letters, as in model names: 4090 is "forty ninety".
std::string NameNumberWords(const std::string& digits) {
  if (digits[0] == '0' && digits.size() > 1) return DigitWords(digits);
  if (digits.size() == 4 && digits[2] != '0') {
    return CardinalWords(digits.substr(0, 2)) + " " + CardinalWords(digits.substr(2));
  }
  return digits.size() <= 4 ? CardinalWords(digits) : DigitWords(digits);
}

// 3x4, 3 × 4 × 5 m; "times" where it is a product with a result.
bool ReadDimensions(Scanner& scanner) {
  const Number first = ParseNumber(scanner, 0);
  std::size_t at = first.length + (scanner.Peek(first.length) == U' ' ? 1 : 0);
  const char32_t sign = scanner.Peek(at);
  const bool apart = at > first.length;
  if (sign != U'×' && !(sign == U'x' && !apart)) return false;
  ++at;
  if (scanner.Peek(at) == U' ') ++at;
  const Number second = ParseNumber(scanner, at);
  if (second.length == 0) return false;
  std::size_t after = at + second.length;
  if (scanner.Peek(after) == U' ') ++after;
  scanner.Say(first.plain() && !apart ? NameNumberWords(first.whole) : QuantityWords(first));
  scanner.Say(scanner.Peek(after) == U'=' ? "times" : "by");
  scanner.Advance(at);
  return true;
}

// "1 1/2", "2½"
bool FractionFollows(const Scanner& scanner, std::size_t offset) {
  const std::string above = scanner.Digits(offset + 1, 3);
  const std::size_t slash = offset + 1 + above.size();
  return scanner.Peek(offset) == U' ' && above.size() == 1 && scanner.Peek(slash) == U'/' &&
         scanner.Digits(slash + 1, 3).size() == 1 && scanner.EndsAt(slash + 2);
}

// "call 911"
bool IsCalled(std::string_view word_before) {
  const std::string before = LowerAscii(word_before);
  return before == "call" || before == "dial" || before == "called" || before == "dialed";
}

void SayPlain(Scanner& scanner) {
  const Number number = ParseNumber(scanner, 0);
  std::size_t at = number.length;
  const bool name_before = IsAsciiLetter(scanner.Before());  // B2B
  const Magnitude magnitude = name_before ? Magnitude() : FindMagnitude(scanner, at, false);
  const bool one = number.IsOne() && magnitude.length == 0;
  const Unit unit = name_before ? Unit() : FindUnit(scanner, at + magnitude.length, one);
  const bool letters_attached = magnitude.length == 0 && unit.length == 0 && !scanner.EndsAt(at);
  const bool day = number.plain() && number.whole.size() <= 2 && unit.length == 0 &&
                   number.whole[0] != '0' && number.value() <= 31 && number.value() >= 1 &&
                   !MonthName(scanner.last_word()).empty() && !scanner.clause_start();
  if (day && !letters_attached) {
    scanner.Say(OrdinalWords(number.whole));
  } else if (number.plain() && number.whole.size() == 3 && IsCalled(scanner.last_word())) {
    scanner.Say(DigitWords(number.whole));
  } else if (number.plain() && (letters_attached || name_before)) {
    scanner.Say(NameNumberWords(number.whole));
  } else if (unit.length == 0 && magnitude.length == 0 && ReadsAsYear(scanner, number)) {
    scanner.Say(YearWords(number.whole));
  } else {
    scanner.Say(QuantityWords(number));
  }
  scanner.Say(magnitude.word);
  scanner.Say(unit.words);
  scanner.Advance(at + magnitude.length + unit.length);
  if (FractionFollows(scanner, 0)) scanner.Say("and");
  if (magnitude.length > 0 || unit.length > 0) SayRangeDash(scanner);
  if (scanner.LooksAt("'s") && scanner.EndsAt(2)) {
    scanner.Join("'s");
    scanner.Advance(2);
  }
  // "3 km/day": what is left of a rate.
  if (unit.length > 0 && scanner.Peek() == U'/' && IsAsciiLetter(scanner.Peek(1))) {
    scanner.Say("per");
    scanner.Advance(1);
  }
}

}  // namespace

int Number::value() const {
  int result = 0;
  for (const char digit : std::string_view(whole).substr(0, 9))
    result = result * 10 + (digit - '0');
  return result;
}

Number ParseNumber(const Scanner& scanner, std::size_t offset) {
  Number number;
  number.whole = scanner.Digits(offset);
  std::size_t at = offset + number.whole.size();
  while (!number.whole.empty() && number.whole.size() < 400 && scanner.Peek(at) == U',' &&
         (number.grouped || number.whole.size() <= 3) && scanner.Digits(at + 1, 4).size() == 3) {
    number.grouped = true;
    number.whole += scanner.Digits(at + 1, 3);
    at += 4;
  }
  if (scanner.Peek(at) == U'.' && IsAsciiDigit(scanner.Peek(at + 1))) {
    number.fraction = scanner.Digits(at + 1);
    at += 1 + number.fraction.size();
  }
  number.length = at - offset;
  return number;
}

std::string QuantityWords(const Number& number) {
  if (!number.fraction.empty()) return DecimalWords(number.whole, number.fraction);
  const bool code = number.whole.size() > 1 && number.whole[0] == '0';
  const bool long_code = !number.grouped && number.whole.size() >= 11;
  return code || long_code ? DigitWords(number.whole) : CardinalWords(number.whole);
}

bool IsRangeDash(char32_t c) {
  return c == U'-' || c == U'–' || c == U'—' || c == U'−' || c == U'~';
}

void SayRangeDash(Scanner& scanner) {
  const bool spaced = scanner.Peek() == U' ' && scanner.Peek(2) == U' ';
  const std::size_t at = spaced ? 1 : 0;
  const char32_t dash = scanner.Peek(at);
  if (!IsRangeDash(dash) || (spaced && dash != U'–' && dash != U'—')) return;
  const char32_t next = scanner.Peek(at + (spaced ? 2 : 1));
  if (!IsAsciiDigit(next) && next != U'$' && next != U'€' && next != U'£' && next != U'¥') return;
  scanner.Say("to");
  scanner.Advance(spaced ? 3 : 1);
}

Magnitude FindMagnitude(const Scanner& scanner, std::size_t offset, bool money) {
  const std::size_t space = scanner.Peek(offset) == U' ' ? 1 : 0;
  const std::string word = scanner.Letters(offset + space, 12);
  if (word.empty() || !scanner.EndsAt(offset + space + word.size())) return {};
  const std::size_t length = space + word.size();
  static constexpr std::array<std::string_view, 6> kWords = {"hundred", "thousand", "million",
                                                             "billion", "trillion", "quadrillion"};
  const std::string lower = LowerAscii(word);
  for (const std::string_view known : kWords) {
    if (lower == known) return {length, known};
  }
  if (lower == "bn") return {length, "billion"};
  if (lower == "mn" || lower == "mio") return {length, "million"};
  if (space > 0) return {};
  const bool size_name = word == "K" && offset >= 1 && IsAsciiDigit(scanner.Peek(offset - 1)) &&
                         (offset < 2 || !IsAsciiDigit(scanner.Peek(offset - 2)));
  if ((word == "k" || word == "K") && !(size_name && !money)) return {length, "thousand"};
  if (word == "M" || (money && word == "m")) return {length, "million"};
  const bool name_follows = IsAsciiUpper(scanner.Peek(offset + 2));  // 221B Baker Street
  if ((word == "B" && !name_follows) || (money && word == "b")) return {length, "billion"};
  if (money && (word == "T" || word == "t")) return {length, "trillion"};
  return {};
}

bool ReadNumeral(Scanner& scanner) {
  const char32_t first = scanner.Peek();
  const char32_t before = scanner.Before();
  const bool free_before = !IsAsciiLetter(before) && !IsAsciiDigit(before);
  if (!IsAsciiDigit(first)) {
    std::size_t sign = 0;
    const char32_t c = first;
    std::string_view word;
    if (free_before && before != U')' && (c == U'-' || c == U'−' || c == U'–')) word = "minus";
    if (free_before && c == U'+') word = "plus";
    if (free_before && (c == U'~' || c == U'≈')) word = "about";
    if (c == U'±') word = "plus or minus";
    if (!word.empty()) sign = c == U'±' && scanner.Peek(1) == U' ' ? 2 : 1;
    const bool point = scanner.Peek(sign) == U'.' && IsAsciiDigit(scanner.Peek(sign + 1));
    if (!point && (sign == 0 || !IsAsciiDigit(scanner.Peek(sign)))) return false;
    if (point && !free_before && sign == 0) return false;
    scanner.Say(word);
    scanner.Advance(sign);
    if (point) {
      SayPlain(scanner);
      return true;
    }
    return ReadNumeral(scanner);
  }
  if (free_before && (ReadDate(scanner) || ReadTime(scanner) || ReadTelephone(scanner)))
    return true;
  if (ReadVersion(scanner) || ReadOrdinal(scanner) || ReadDecade(scanner)) return true;
  if (free_before && (ReadFraction(scanner) || ReadRange(scanner) || ReadDimensions(scanner))) {
    return true;
  }
  SayPlain(scanner);
  return true;
}

}  // namespace timbre::text
