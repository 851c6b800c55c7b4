// Words that follow a number: written units and how they are spoken, measure words, currencies.
// Pure functions over tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace timbre::text::mandarin {

struct Match {
  std::size_t length = 0;  // characters of the text it covers, 0 for no match
  std::u32string_view spoken;
};

// The longest unit in Latin letters or signs at the head of `text` ("km", "°C"), never part of a
// longer word. Compound units ("km/h") are put together by ReadUnit.
Match MatchUnit(std::u32string_view text);

// A whole unit with its divisor: "km/h" -> 千米每小时, "元/斤" -> 元每斤. Sets `spoken` and returns
// the characters covered, 0 where no unit stands.
std::size_t ReadUnit(std::u32string_view text, std::u32string* spoken);

// A currency sign or code that stands before an amount ("US$", "￥"), spoken as 美元, 元.
Match MatchCurrency(std::u32string_view text);

// Whether a measure word or Mandarin unit heads the text, so that 2 before it is 两.
bool StartsWithMeasure(std::u32string_view text);

}  // namespace timbre::text::mandarin
