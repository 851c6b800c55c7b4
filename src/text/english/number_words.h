// Numbers in English words, American style: without "and", without hyphens. Pure functions; digits
// come as ASCII text, so that no number is too long.
#pragma once

#include <string>
#include <string_view>

namespace timbre::text {

// "42195" -> "forty two thousand one hundred ninety five"; over 15 digits are read one by one.
// Leading zeros count for nothing here.
std::string CardinalWords(std::string_view digits);

// "21" -> "twenty first".
std::string OrdinalWords(std::string_view digits);

// "0123" -> "zero one two three".
std::string DigitWords(std::string_view digits);

// "1999" -> "nineteen ninety nine", "2005" -> "two thousand five", "1900" -> "nineteen hundred".
// Four digits, 1000..2999.
std::string YearWords(std::string_view digits);

// "90" -> "nineties", "20" -> "twenties"; a multiple of ten, or "00" -> "hundreds".
std::string DecadeWords(std::string_view two_digits);

// "3" "14" -> "three point one four".
std::string DecimalWords(std::string_view whole, std::string_view fraction);

// "seven" -> "sevens" and the like for any English noun: "inch" -> "inches", "penny" -> "pennies".
std::string Plural(std::string_view noun);

}  // namespace timbre::text
