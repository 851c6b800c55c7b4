#include "text/mandarin/numerals.h"

#include <algorithm>

namespace timbre::text::mandarin {
namespace {

constexpr std::u32string_view kDigits = U"零一二三四五六七八九";
constexpr std::u32string_view kGroupNames[] = {U"", U"万", U"亿", U"万亿"};
constexpr std::size_t kMostDigits = 16;

// Up to four digits, not all zero. `leading`: nothing of the number was spoken yet.
std::u32string ReadGroup(std::u32string_view group, bool leading) {
  static constexpr std::u32string_view kPlaces = U"千百十";
  std::u32string spoken;
  bool zero_pending = false;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::size_t place = 4 - group.size() + i;  // 0 thousands ... 3 ones
    const auto digit = static_cast<std::size_t>(group[i] - U'0');
    const bool first = leading && spoken.empty();
    if (digit == 0) {
      zero_pending = true;
      continue;
    }
    if (zero_pending && !first) spoken.push_back(U'零');
    zero_pending = false;
    const bool liang = digit == 2 && (place == 0 || (place == 1 && first));
    const bool bare_ten = digit == 1 && place == 2 && first;
    if (!bare_ten) spoken.push_back(liang ? U'两' : kDigits[digit]);
    if (place < 3) spoken.push_back(kPlaces[place]);
  }
  return spoken;
}

}  // namespace

std::u32string ReadDigits(std::u32string_view digits, bool telephone) {
  std::u32string spoken;
  for (const char32_t c : digits) {
    spoken.push_back(telephone && c == U'1' ? U'幺' : kDigits[static_cast<std::size_t>(c - U'0')]);
  }
  return spoken;
}

std::u32string ReadCardinal(std::u32string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of(U'0'), digits.size()));
  if (digits.empty()) return U"零";
  if (digits.size() > kMostDigits) return ReadDigits(digits);
  std::u32string spoken;
  bool zero_pending = false;
  const std::size_t groups = (digits.size() + 3) / 4;
  for (std::size_t left = groups; left-- > 0;) {
    const std::size_t length = digits.size() - left * 4;
    const std::u32string_view group = digits.substr(0, length);
    digits.remove_prefix(length);
    if (group.find_first_not_of(U'0') == group.npos) {
      zero_pending = true;
      continue;
    }
    const bool leading = spoken.empty();
    // A group that begins with a zero says so itself.
    if (zero_pending && !leading && group[0] != U'0') spoken.push_back(U'零');
    zero_pending = false;
    std::u32string part = ReadGroup(group, leading);
    if (part == U"二" && left > 0) part = U"两";
    spoken += part;
    spoken += kGroupNames[left];
  }
  return spoken;
}

std::u32string ReadNumber(const Number& number) {
  std::u32string spoken = ReadCardinal(number.integer);
  if (!number.fraction.empty()) {
    spoken.push_back(U'点');
    spoken += ReadDigits(number.fraction);
  }
  return spoken;
}

}  // namespace timbre::text::mandarin
