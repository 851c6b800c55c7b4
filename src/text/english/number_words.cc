#include "text/english/number_words.h"

#include <array>
#include <cstddef>

namespace timbre::text {
namespace {

constexpr std::array<std::string_view, 20> kSmall = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens = {
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::string_view, 5> kScales = {"", "thousand", "million", "billion",
                                                     "trillion"};
constexpr std::size_t kMaxCardinalDigits = 15;

void Add(std::string_view word, std::string* out) {
  if (!out->empty()) out->push_back(' ');
  out->append(word);
}

void AddBelowHundred(int value, std::string* out) {
  if (value < 20) {
    Add(kSmall[static_cast<std::size_t>(value)], out);
    return;
  }
  Add(kTens[static_cast<std::size_t>(value / 10)], out);
  if (value % 10 != 0) Add(kSmall[static_cast<std::size_t>(value % 10)], out);
}

void AddBelowThousand(int value, std::string* out) {
  if (value >= 100) {
    Add(kSmall[static_cast<std::size_t>(value / 100)], out);
    Add("hundred", out);
    value %= 100;
    if (value == 0) return;
  }
  AddBelowHundred(value, out);
}

std::string_view WithoutLeadingZeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

int Value(std::string_view digits) {  // at most nine digits
  int value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return value;
}

bool EndsWith(std::string_view word, std::string_view tail) { return word.ends_with(tail); }

bool IsVowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

// The last word of a cardinal as an ordinal.
std::string OrdinalOf(std::string_view word) {
  struct Irregular {
    std::string_view cardinal;
    std::string_view ordinal;
  };
  static constexpr std::array<Irregular, 7> kIrregular = {{{"one", "first"},
                                                           {"two", "second"},
                                                           {"three", "third"},
                                                           {"five", "fifth"},
                                                           {"eight", "eighth"},
                                                           {"nine", "ninth"},
                                                           {"twelve", "twelfth"}}};
  for (const Irregular& pair : kIrregular) {
    if (pair.cardinal == word) return std::string(pair.ordinal);
  }
  if (EndsWith(word, "y")) return std::string(word.substr(0, word.size() - 1)) + "ieth";
  return std::string(word) + "th";
}

}  // namespace

std::string CardinalWords(std::string_view digits) {
  digits = WithoutLeadingZeros(digits);
  if (digits.size() > kMaxCardinalDigits) return DigitWords(digits);
  std::string out;
  for (std::size_t left = digits.size(); left > 0;) {
    const std::size_t take = (left - 1) % 3 + 1;
    const int group = Value(digits.substr(digits.size() - left, take));
    left -= take;
    if (group == 0) continue;
    AddBelowThousand(group, &out);
    if (left > 0) Add(kScales[left / 3], &out);
  }
  return out.empty() ? std::string("zero") : out;
}

std::string OrdinalWords(std::string_view digits) {
  const std::string words = CardinalWords(digits);
  const std::size_t space = words.rfind(' ');
  const std::size_t last = space == std::string::npos ? 0 : space + 1;
  return words.substr(0, last) + OrdinalOf(std::string_view(words).substr(last));
}

std::string DigitWords(std::string_view digits) {
  std::string out;
  for (const char digit : digits) Add(kSmall[static_cast<std::size_t>(digit - '0')], &out);
  return out;
}

std::string YearWords(std::string_view digits) {
  const int year = Value(digits);
  const int century = year / 100;
  const int rest = year % 100;
  if (year % 1000 < 10) return CardinalWords(digits);  // two thousand five
  std::string out;
  AddBelowHundred(century, &out);
  if (rest == 0) {
    Add("hundred", &out);
  } else if (rest < 10) {
    Add("oh", &out);
    AddBelowHundred(rest, &out);
  } else {
    AddBelowHundred(rest, &out);
  }
  return out;
}

std::string DecadeWords(std::string_view two_digits) {
  if (two_digits == "00") return "hundreds";
  if (two_digits == "10") return "tens";
  return Plural(CardinalWords(two_digits));
}

std::string DecimalWords(std::string_view whole, std::string_view fraction) {
  return CardinalWords(whole.empty() ? "0" : whole) + " point " + DigitWords(fraction);
}

std::string Plural(std::string_view noun) {
  std::string out(noun);
  if (noun.empty()) return out;
  const bool hissing = EndsWith(noun, "s") || EndsWith(noun, "x") || EndsWith(noun, "z") ||
                       EndsWith(noun, "ch") || EndsWith(noun, "sh");
  if (hissing) return out + "es";
  if (EndsWith(noun, "y") && noun.size() > 1 && !IsVowel(noun[noun.size() - 2])) {
    out.pop_back();
    return out + "ies";
  }
  return out + "s";
}

}  // namespace timbre::text
