#include "text/tacotron_numbers.h"

#include <array>
#include <cstddef>
#include <vector>

namespace timbre::text {
namespace {

constexpr std::array<std::string_view, 20> kUnits = {
    "",         "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens = {
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::string_view, 12> kScales = {
    "",           "thousand",   "million",   "billion",   "trillion", "quadrillion", "quintillion",
    "sextillion", "septillion", "octillion", "nonillion", "decillion"};

std::string BelowHundred(int value) {
  if (value < 20) return std::string(kUnits[static_cast<std::size_t>(value)]);
  std::string words(kTens[static_cast<std::size_t>(value / 10)]);
  if (value % 10 != 0) words.append("-").append(kUnits[static_cast<std::size_t>(value % 10)]);
  return words;
}

std::string BelowThousand(int value, std::string_view joint) {
  if (value < 100) return BelowHundred(value);
  std::string words = std::string(kUnits[static_cast<std::size_t>(value / 100)]) + " hundred";
  if (value % 100 != 0) words.append(joint).append(BelowHundred(value % 100));
  return words;
}

std::string OneByOne(std::string_view digits) {
  std::string words;
  for (const char digit : digits) {
    if (!words.empty()) words += ", ";
    words += digit == '0' ? "zero" : kUnits[static_cast<std::size_t>(digit - '0')];
  }
  return words;
}

// `joint` is " and " or " ".
std::string Words(std::string_view digits, std::string_view joint) {
  if (digits == "0") return "zero";
  if (digits.size() > kScales.size() * 3) return OneByOne(digits);
  std::string words;
  for (std::size_t left = digits.size(); left > 0;) {
    const std::size_t take = (left - 1) % 3 + 1;
    const int group = std::stoi(std::string(digits.substr(digits.size() - left, take)));
    left -= take;
    if (group == 0) continue;
    // A last group without hundreds is joined, others are parted by a comma.
    if (!words.empty()) words.append(left == 0 && group < 100 ? joint : std::string_view(", "));
    words += BelowThousand(group, joint);
    if (left > 0) words.append(" ").append(kScales[left / 3]);
  }
  return words;
}

std::string Year(int year) {
  if (year == 2000) return "two thousand";
  if (year > 2000 && year < 2010) return "two thousand " + BelowHundred(year % 100);
  if (year % 100 == 0) return BelowHundred(year / 100) + " hundred";
  const int rest = year % 100;
  return BelowHundred(year / 100) + (rest < 10 ? " oh " : " ") + BelowHundred(rest);
}

std::string OrdinalOf(std::string_view word) {
  struct Pair {
    std::string_view cardinal;
    std::string_view ordinal;
  };
  static constexpr auto kPairs = std::to_array<Pair>({{"one", "first"},
                                                      {"two", "second"},
                                                      {"three", "third"},
                                                      {"five", "fifth"},
                                                      {"eight", "eighth"},
                                                      {"nine", "ninth"},
                                                      {"twelve", "twelfth"}});
  for (const Pair& pair : kPairs) {
    if (pair.cardinal == word) return std::string(pair.ordinal);
  }
  if (word.ends_with("ty")) return std::string(word.substr(0, word.size() - 1)) + "ieth";
  return std::string(word) + "th";
}

}  // namespace

std::string WithoutZeros(std::string_view digits) {
  std::string out;
  for (const char digit : digits) {
    if (digit >= '0' && digit <= '9' && !(out.empty() && digit == '0')) out.push_back(digit);
  }
  return out.empty() ? std::string("0") : out;
}

std::string TacotronNumber(std::string_view digits) {
  const std::string number = WithoutZeros(digits);
  if (number.size() == 4) {
    const int value = std::stoi(number);
    if (value > 1000 && value < 3000) return Year(value);
  }
  return Words(number, " ");
}

std::string TacotronOrdinal(std::string_view digits) {
  const std::string words = Words(WithoutZeros(digits), " and ");
  const std::size_t start = words.find_last_of(" -");
  const std::size_t last = start == std::string::npos ? 0 : start + 1;
  return words.substr(0, last) + OrdinalOf(std::string_view(words).substr(last));
}

}  // namespace timbre::text
