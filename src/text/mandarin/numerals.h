// Digits written out as Mandarin speaks them. Inputs hold ASCII digits only. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace timbre::text::mandarin {

// "42195" -> 四万两千一百九十五, "0" -> 零. 两 stands before 千, 万, 亿 and in a leading 两百.
// More than 16 digits are read one by one.
std::u32string ReadCardinal(std::u32string_view digits);

// "2024" -> 二零二四; `telephone` says 幺 for 1.
std::u32string ReadDigits(std::u32string_view digits, bool telephone = false);

// A written number: integer digits (commas taken out) and digits after the point.
struct Number {
  std::u32string integer;
  std::u32string fraction;

  bool IsWhole() const { return fraction.empty(); }
  bool IsTwo() const { return fraction.empty() && integer == U"2"; }
};

// 三千一百点零五
std::u32string ReadNumber(const Number& number);

}  // namespace timbre::text::mandarin
