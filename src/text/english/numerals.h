// Rules for everything that begins with a digit, a sign or a currency: see numerals.cc, dates.cc
// and money.cc for the forms. Each is a rule in the sense of scanner.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/english/scanner.h"

namespace timbre::text {

// "1,234.50" as written: digits before and after the point.
struct Number {
  std::string whole;
  std::string fraction;
  std::size_t length = 0;  // characters of the text; 0: no number here
  bool grouped = false;    // with commas

  bool plain() const { return fraction.empty() && !grouped; }
  bool IsOne() const { return whole == "1" && fraction.empty(); }
  int value() const;  // of the whole part, at most 999,999,999
};
Number ParseNumber(const Scanner& scanner, std::size_t offset);
std::string QuantityWords(const Number& number);

// A hyphen, dash or tilde that stands for "to" between two amounts, or 0.
bool IsRangeDash(char32_t c);
// After an amount: "–5 €" goes on as "to".
void SayRangeDash(Scanner& scanner);

// "million", "bn", "k" after an amount; length 0 where there is none. `money`: also "m", "b".
struct Magnitude {
  std::size_t length = 0;
  std::string_view word;
};
Magnitude FindMagnitude(const Scanner& scanner, std::size_t offset, bool money);

bool ReadDate(Scanner& scanner);       // 2024-03-05, 3/5/2024, 5 May
bool ReadTime(Scanner& scanner);       // 10:05, 9 p.m.
bool ReadMoney(Scanner& scanner);      // US$12.50, €3m
bool ReadTelephone(Scanner& scanner);  // +1 555-010-4477, 555-1234
bool ReadNumeral(Scanner& scanner);    // all other numbers, with their units

// English month for a name or its three-letter form ("Sep", "Sept"), or empty.
std::string_view MonthName(std::string_view word);

// English weekday for its short form ("Tue", "Thurs"), or empty.
std::string_view WeekdayName(std::string_view word);

}  // namespace timbre::text
