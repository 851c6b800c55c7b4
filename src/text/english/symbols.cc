#include "text/english/symbols.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "text/utf8.h"

namespace timbre::text {
namespace {

struct Sign {
  char32_t c;
  std::string_view words;
};

// Signs with one reading wherever they stand. An empty one is silent.
constexpr auto kSigns = std::to_array<Sign>({
    {U'&', "and"},
    {U'@', "at"},
    {U'=', "equals"},
    {U'%', "percent"},
    {U'‰', "per mille"},
    {U'°', "degrees"},
    {U'℃', "degrees Celsius"},
    {U'℉', "degrees Fahrenheit"},
    {U'×', "times"},
    {U'÷', "divided by"},
    {U'±', "plus or minus"},
    {U'√', "square root of"},
    {U'∞', "infinity"},
    {U'≈', "is about"},
    {U'≠', "is not equal to"},
    {U'≤', "at most"},
    {U'≥', "at least"},
    {U'→', "to"},
    {U'←', "from"},
    {U'∑', "sum of"},
    {U'∆', "delta"},
    {U'§', "section"},
    {U'©', "copyright"},
    {U'№', "number"},
    {U'€', "euros"},
    {U'£', "pounds"},
    {U'$', "dollars"},
    {U'¥', "yen"},
    {U'¢', "cents"},
    {U'½', "one half"},
    {U'⅓', "one third"},
    {U'⅔', "two thirds"},
    {U'¼', "one quarter"},
    {U'¾', "three quarters"},
    {U'⅛', "one eighth"},
    {U'²', "squared"},
    {U'³', "cubed"},
    {U'\\', "backslash"},
    {U'−', "minus"},
    {U'®', ""},
    {U'™', ""},
    {U'†', ""},
    {U'‡', ""},
    {U'•', ""},
    {U'_', ""},
    {U'^', ""},
    {U'`', ""},
    {U'~', ""},
    {U'\'', ""},
    {U'*', ""},
    {U'¶', ""},
    {U'ª', ""},
    {U'º', ""},
    {U'¨', ""},
    {U'´', ""},
    {U'¯', ""},
    {U'¸', ""},
    {U'¬', "not"},
    {U'µ', "micro"},
    {U'Ω', "omega"},
    {U'\u2126', "ohms"},
});

constexpr std::array<std::string_view, 25> kGreek = {
    "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};

constexpr std::u32string_view kMarks =
    U",!?;:…—–()[]{}\"“”‘’«»„<>|、。，！？；：（）【】「」『』《》〈〉·";

bool IsAlnum(char32_t c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }

void ReadDot(Scanner& scanner) {
  std::size_t dots = 1;
  while (scanner.Peek(dots) == U'.' && dots < 1000) ++dots;
  const bool inside = dots == 1 && IsAlnum(scanner.Before()) &&
                      (IsAsciiLower(scanner.Peek(1)) || IsAsciiDigit(scanner.Peek(1)));
  scanner.Advance(dots);
  if (inside) {
    scanner.Say("dot");
  } else {
    scanner.Mark(dots > 1 ? U'…' : U'.');
  }
}

void ReadHyphen(Scanner& scanner) {
  std::size_t hyphens = 1;
  while (scanner.Peek(hyphens) == U'-' && hyphens < 1000) ++hyphens;
  const bool spaced = scanner.Before() == U' ' && scanner.Peek(hyphens) == U' ';
  const bool arrow = scanner.Peek(hyphens) == U'>';
  const char32_t next = scanner.Peek(hyphens + 1);
  scanner.Advance(hyphens + (arrow ? 1 : 0));
  if (arrow) {
    scanner.Say("to");
  } else if (hyphens == 1 && spaced && IsAsciiDigit(next) && !scanner.clause_start()) {
    scanner.Say("minus");  // 5 - 3
  } else if (hyphens > 1 || spaced) {
    scanner.Mark(U'—');
  }
}

void ReadHash(Scanner& scanner) {
  const bool musical = scanner.Before() == U'C' || scanner.Before() == U'F';
  const char32_t next = scanner.Peek(1);
  scanner.Advance(1);
  if (IsAsciiDigit(next)) {
    scanner.Say("number");
  } else if (musical && !IsAlnum(next)) {
    scanner.Say("sharp");
  } else if (IsAsciiLetter(next)) {
    scanner.Say("hashtag");
  }
}

void ReadSlash(Scanner& scanner) {
  static constexpr std::array<std::string_view, 8> kOr = {"he",  "his", "him",     "she",
                                                          "her", "s",   "himself", "hers"};
  const std::string before = LowerAscii(scanner.last_word());
  const std::string after = LowerAscii(scanner.Letters(1));
  const bool alternatives =
      std::ranges::find(kOr, before) != kOr.end() && std::ranges::find(kOr, after) != kOr.end();
  const bool quotient =
      scanner.Before() == U' ' && scanner.Peek(1) == U' ' && IsAsciiDigit(scanner.Peek(2));
  scanner.Advance(1);
  if (alternatives) scanner.Say("or");
  if (quotient) scanner.Say("over");
}

void ReadComparison(Scanner& scanner) {
  const bool less = scanner.Peek() == U'<';
  const bool equal = scanner.Peek(1) == U'=';
  const std::size_t length = equal ? 2 : 1;
  const std::size_t spaces = scanner.SpacesAt(length);
  const bool between = !scanner.clause_start() && IsAlnum(scanner.Peek(length + spaces)) &&
                       (spaces > 0 || IsAsciiDigit(scanner.Peek(length)));
  scanner.Advance(length);
  if (between) {
    scanner.Say(less ? "is less than" : "is greater than");
    if (equal) scanner.Say("or equal to");
  } else if (IsAsciiDigit(scanner.Peek(spaces))) {
    scanner.Say(less ? "less than" : "more than");
  }
}

}  // namespace

void ReadSign(Scanner& scanner) {
  const char32_t c = scanner.Peek();
  switch (c) {
    case U'.':
      ReadDot(scanner);
      return;
    case U'-':
      ReadHyphen(scanner);
      return;
    case U'#':
      ReadHash(scanner);
      return;
    case U'/':
      ReadSlash(scanner);
      return;
    case U'<':
    case U'>':
      ReadComparison(scanner);
      return;
    default:
      break;
  }
  const char32_t before = scanner.Before();
  const char32_t next = scanner.Peek(1);
  scanner.Advance(1);
  if (c == U'+') {
    scanner.Say("plus");
  } else if (c == U':' && IsAsciiDigit(before) && IsAsciiDigit(next)) {
    scanner.Say("to");  // 3:1
  } else if (c == U'*' && IsAsciiDigit(next) && (IsAsciiDigit(before) || before == U' ')) {
    scanner.Say("times");
  } else if (c == U'^' && IsAlnum(before) && IsAlnum(next)) {
    scanner.Say("to the power of");
  } else if (c >= U'α' && c <= U'ω') {
    scanner.Say(kGreek[c - U'α']);
  } else if (c >= U'Α' && c < U'Ω') {
    scanner.Say(kGreek[c - U'Α']);
  } else if (const auto* sign = std::ranges::find(kSigns, c, &Sign::c); sign != kSigns.end()) {
    const bool mixed_number = IsAsciiDigit(before) && (c == U'½' || c == U'¼' || c == U'¾');
    scanner.Say(mixed_number ? (c == U'½'   ? "and a half"
                                : c == U'¼' ? "and a quarter"
                                            : "and three quarters")
                             : sign->words);
  } else if (kMarks.find(c) != std::u32string_view::npos || c == U'\n') {
    scanner.Mark(c);
  } else {
    scanner.Copy(c);
  }
}

}  // namespace timbre::text
