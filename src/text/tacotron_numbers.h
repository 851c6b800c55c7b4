// Numbers in words as the Tacotron cleaners get them from the inflect package: hyphens, commas
// between thousands, years in pairs. Pure functions; digits are ASCII, leading zeros allowed.
#pragma once

#include <string>
#include <string_view>

namespace timbre::text {

// "42195" -> "forty-two thousand, one hundred ninety-five"; 1001..2999 as a year: "nineteen oh
// five".
std::string TacotronNumber(std::string_view digits);

// "101" -> "one hundred and first".
std::string TacotronOrdinal(std::string_view digits);

// The number without leading zeros and anything but digits; "0" for none.
std::string WithoutZeros(std::string_view digits);

// Every run of white space as one space (shared with the cleaners of pinyin).
std::string CollapseSpaces(std::string_view text);

}  // namespace timbre::text
