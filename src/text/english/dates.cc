#include <array>
#include <cstddef>

#include "text/english/number_words.h"
#include "text/english/numerals.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

std::string MonthAndDay(int month, int day) {
  return std::string(kMonths[static_cast<std::size_t>(month - 1)]) + " " +
         OrdinalWords(std::to_string(day));
}

bool IsDay(int day) { return day >= 1 && day <= 31; }
bool IsMonth(int month) { return month >= 1 && month <= 12; }

std::string YearOrCardinal(const std::string& digits) {
  const int year = std::stoi(digits);
  return digits.size() == 4 && year >= 1000 && year <= 2999 ? YearWords(digits)
                                                            : CardinalWords(digits);
}

// 2024-03-05 or 2024/3/5.
bool ReadYearFirst(Scanner& scanner) {
  const std::string year = scanner.Digits(0, 5);
  const char32_t separator = scanner.Peek(4);
  if (year.size() != 4 || (separator != U'-' && separator != U'/')) return false;
  const std::string month = scanner.Digits(5, 3);
  if (month.empty() || month.size() > 2 || scanner.Peek(5 + month.size()) != separator)
    return false;
  const std::size_t day_at = 6 + month.size();
  const std::string day = scanner.Digits(day_at, 3);
  if (day.empty() || day.size() > 2 || !scanner.EndsAt(day_at + day.size())) return false;
  if (!IsMonth(std::stoi(month)) || !IsDay(std::stoi(day))) return false;
  scanner.Say(MonthAndDay(std::stoi(month), std::stoi(day)));
  scanner.Mark(U',');
  scanner.Say(YearOrCardinal(year));
  scanner.Advance(day_at + day.size());
  return true;
}

// 3/5/2024 is March fifth; 25/12/2024 can only be December twenty fifth.
bool ReadYearLast(Scanner& scanner) {
  const std::string first = scanner.Digits(0, 3);
  const char32_t separator = scanner.Peek(first.size());
  if (first.empty() || first.size() > 2 || (separator != U'/' && separator != U'-')) return false;
  const std::string second = scanner.Digits(first.size() + 1, 3);
  const std::size_t year_at = first.size() + second.size() + 2;
  if (second.empty() || second.size() > 2 || scanner.Peek(year_at - 1) != separator) return false;
  const std::string year = scanner.Digits(year_at, 5);
  if (year.size() != 4 || !scanner.EndsAt(year_at + 4)) return false;
  int month = std::stoi(first);
  int day = std::stoi(second);
  if (!IsMonth(month)) std::swap(month, day);
  if (!IsMonth(month) || !IsDay(day)) return false;
  scanner.Say(MonthAndDay(month, day));
  scanner.Mark(U',');
  scanner.Say(YearOrCardinal(year));
  scanner.Advance(year_at + 4);
  return true;
}

// 5 May: the fifth of May.
bool ReadDayOfMonth(Scanner& scanner) {
  const std::string day = scanner.Digits(0, 3);
  if (day.empty() || day.size() > 2 || !IsDay(std::stoi(day))) return false;
  if (scanner.Peek(day.size()) != U' ') return false;
  const std::string word = scanner.Letters(day.size() + 1);
  const std::string_view month = MonthName(word);
  const std::size_t end = day.size() + 1 + word.size();
  if (month.empty() || !scanner.EndsAt(end)) return false;
  const bool has_article = LowerAscii(scanner.last_word()) == "the";
  scanner.Say((has_article ? "" : "the ") + OrdinalWords(day) + " of " + std::string(month));
  scanner.Advance(end +
                  (word.size() < 5 && month.size() > word.size() && scanner.Peek(end) == U'.'));
  return true;
}

// "am", "p.m.", "AM" `offset` places on, after at most one space.
struct HalfDay {
  std::size_t length = 0;
  std::string_view words;
};

HalfDay FindHalfDay(const Scanner& scanner, std::size_t offset) {
  const std::size_t start = offset + (scanner.Peek(offset) == U' ' ? 1 : 0);
  const char32_t half = ToLowerAscii(scanner.Peek(start));
  if (half != U'a' && half != U'p') return {};
  std::size_t at = start + 1;
  const bool dotted = scanner.Peek(at) == U'.';
  if (dotted) ++at;
  if (ToLowerAscii(scanner.Peek(at)) != U'm' || !scanner.EndsAt(at + 1)) return {};
  ++at;
  // The last dot of "p.m." also ends the sentence when nothing or a capital follows.
  if (dotted && scanner.Peek(at) == U'.') {
    const bool ends = scanner.Peek(at + 1) == 0 || scanner.Peek(at + 1) == U'\n' ||
                      (scanner.Peek(at + 1) == U' ' && IsAsciiUpper(scanner.Peek(at + 2)));
    if (!ends) ++at;
  }
  return {at - offset, half == U'a' ? "A M" : "P M"};
}

std::string MinuteWords(const std::string& minutes) {
  if (minutes[0] == '0') return "oh " + CardinalWords(minutes);
  return CardinalWords(minutes);
}

}  // namespace

std::string_view MonthName(std::string_view word) {
  if (word.size() < 3 || !IsAsciiUpper(static_cast<unsigned char>(word[0]))) return {};
  for (const std::string_view month : kMonths) {
    if (word == month || word == month.substr(0, 3)) return month;
  }
  return word == "Sept" ? kMonths[8] : std::string_view();
}

std::string_view WeekdayName(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kDays = {
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
  if (word == "Tues") return kDays[1];
  if (word == "Thur" || word == "Thurs") return kDays[3];
  for (const std::string_view day : kDays) {
    if (word == day.substr(0, 3)) return day;
  }
  return {};
}

bool ReadDate(Scanner& scanner) {
  return ReadYearFirst(scanner) || ReadYearLast(scanner) || ReadDayOfMonth(scanner);
}

bool ReadTime(Scanner& scanner) {
  const std::string hours = scanner.Digits(0, 3);
  if (hours.empty() || hours.size() > 2 || std::stoi(hours) > 24) return false;
  std::size_t at = hours.size();
  if (scanner.Peek(at) != U':') {
    const HalfDay half = FindHalfDay(scanner, at);
    if (half.length == 0) return false;
    scanner.Say(CardinalWords(hours));
    scanner.Say(half.words);
    scanner.Advance(at + half.length);
    SayRangeDash(scanner);
    return true;
  }
  const std::string minutes = scanner.Digits(at + 1, 3);
  if (minutes.size() != 2 || minutes > "59" || IsAsciiLetter(scanner.Peek(at + 3))) {
    const bool half_follows = minutes.size() == 2 && FindHalfDay(scanner, at + 3).length > 0;
    if (!half_follows) return false;
  }
  at += 3;
  std::string seconds;
  if (scanner.Peek(at) == U':') {
    seconds = scanner.Digits(at + 1, 3);
    if (seconds.size() != 2 || seconds > "59") return false;
    at += 3;
  }
  const HalfDay half = FindHalfDay(scanner, at);
  std::string words = CardinalWords(hours);
  if (minutes != "00") {
    words += " " + MinuteWords(minutes);
  } else if (half.length == 0 && seconds.empty()) {
    words += std::stoi(hours) <= 12 ? " o'clock" : " hundred";
  }
  scanner.Say(words);
  if (!seconds.empty()) {
    scanner.Say("and " + CardinalWords(seconds) + (seconds == "01" ? " second" : " seconds"));
  }
  if (half.length > 0) scanner.Say(half.words);
  scanner.Advance(at + half.length);
  SayRangeDash(scanner);
  return true;
}

}  // namespace timbre::text
