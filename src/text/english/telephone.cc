#include <cstddef>
#include <vector>

#include "text/english/number_words.h"
#include "text/english/numerals.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

constexpr std::size_t kMaxGroups = 8;

// Groups of digits parted by single hyphens, dots or spaces, the first one maybe in brackets.
struct Groups {
  std::vector<std::string> digits;
  std::size_t length = 0;
  bool brackets = false;
  bool spaces = false;
  bool dots = false;

  std::size_t total() const {
    std::size_t sum = 0;
    for (const std::string& group : digits) sum += group.size();
    return sum;
  }
};

Groups FindGroups(const Scanner& scanner, std::size_t offset) {
  Groups groups;
  std::size_t at = offset;
  while (groups.digits.size() < kMaxGroups) {
    const bool bracket = scanner.Peek(at) == U'(';
    const std::string digits = scanner.Digits(at + bracket, 7);
    const std::size_t end = at + (bracket ? 1 : 0) + digits.size();
    if (digits.empty() || digits.size() > 6 || (bracket && scanner.Peek(end) != U')')) break;
    groups.brackets |= bracket;
    groups.digits.push_back(digits);
    at = end + (bracket ? 1 : 0);
    groups.length = at - offset;
    const char32_t separator = scanner.Peek(at);
    if (separator != U'-' && separator != U' ' && separator != U'.') {
      if (!(bracket && IsAsciiDigit(separator))) break;
      continue;
    }
    const char32_t next = scanner.Peek(at + 1);
    if (!IsAsciiDigit(next) && next != U'(') break;
    groups.spaces |= separator == U' ' && !bracket;
    groups.dots |= separator == U'.';
    ++at;
  }
  return groups;
}

void SayGroups(Scanner& scanner, const std::vector<std::string>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) scanner.Mark(U',');
    scanner.Say(DigitWords(groups[i]));
  }
}

bool LooksLikeTelephone(const Groups& groups, bool international) {
  const std::size_t total = groups.total();
  if (total < 7 || total > 15) return false;
  if (international || groups.brackets) return groups.digits.size() > 1 || international;
  if (groups.spaces) return groups.digits.size() >= 3 && groups.digits[0][0] == '0';
  if (groups.dots) {  // 555.010.4477
    return groups.digits.size() == 3 && groups.digits[0].size() == 3 &&
           groups.digits[1].size() == 3 && groups.digits[2].size() == 4;
  }
  if (groups.digits.size() >= 3) return true;
  if (groups.digits.size() != 2) return false;
  if (groups.digits[0][0] == '0') return true;
  // 555-1234, but 100-1200 is a range.
  const bool round = groups.digits[0].back() == '0' && groups.digits[1].back() == '0';
  return groups.digits[0].size() == 3 && groups.digits[1].size() == 4 && !round;
}

}  // namespace

bool ReadTelephone(Scanner& scanner) {
  const bool international = scanner.Peek() == U'+';
  const std::size_t start = international ? 1 : 0;
  Groups groups = FindGroups(scanner, start);
  if (international && groups.digits.empty()) {
    // "+8613800138000" in one piece.
    const std::string digits = scanner.Digits(start, 16);
    if (digits.size() < 7 || digits.size() > 15) return false;
    groups.digits = {digits};
    groups.length = digits.size();
  }
  if (!LooksLikeTelephone(groups, international)) return false;
  if (!scanner.EndsAt(start + groups.length)) return false;
  if (international) scanner.Say("plus");
  SayGroups(scanner, groups.digits);
  scanner.Advance(start + groups.length);
  return true;
}

}  // namespace timbre::text
