#include "text/english/scanner.h"

#include <algorithm>

#include "text/utf8.h"

namespace timbre::text {

Scanner::Scanner(std::u32string_view text, const PronouncingDictionary& dictionary)
    : text_(text), dictionary_(dictionary) {
  const auto capitals = std::ranges::count_if(text, IsAsciiUpper);
  const auto small = std::ranges::count_if(text, IsAsciiLower);
  shouting_ = capitals >= 12 && small * 8 < capitals;
}

bool Scanner::LooksAt(std::string_view ascii, std::size_t offset) const {
  for (std::size_t i = 0; i < ascii.size(); ++i) {
    if (Peek(offset + i) != static_cast<unsigned char>(ascii[i])) return false;
  }
  return true;
}

std::string Scanner::Digits(std::size_t offset, std::size_t most) const {
  std::string digits;
  while (digits.size() < most && IsAsciiDigit(Peek(offset + digits.size()))) {
    digits.push_back(static_cast<char>(Peek(offset + digits.size())));
  }
  return digits;
}

std::string Scanner::Letters(std::size_t offset, std::size_t most) const {
  std::string letters;
  while (letters.size() < most && IsAsciiLetter(Peek(offset + letters.size()))) {
    letters.push_back(static_cast<char>(Peek(offset + letters.size())));
  }
  return letters;
}

std::size_t Scanner::SpacesAt(std::size_t offset) const {
  std::size_t spaces = 0;
  while (spaces < 3 && Peek(offset + spaces) == U' ') ++spaces;
  return spaces;
}

bool Scanner::EndsAt(std::size_t offset) const {
  return !IsAsciiLetter(Peek(offset)) && !IsAsciiDigit(Peek(offset));
}

void Scanner::Say(std::string_view words) {
  if (words.empty()) return;
  const bool apart = !out_.empty() && out_.back() != ' ';
  if (apart) out_.push_back(' ');
  out_.append(words);
  const std::size_t space = words.rfind(' ');
  last_word_ = space == std::string_view::npos ? words : words.substr(space + 1);
  clause_start_ = false;
}

void Scanner::Mark(char32_t mark) {
  AppendUtf8(mark, &out_);
  clause_start_ = true;
}

void Scanner::Copy(char32_t c) { AppendUtf8(c, &out_); }

void Scanner::Join(std::string_view tail) {
  out_.append(tail);
  last_word_.append(tail);
}

std::string LowerAscii(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return static_cast<char>(ToLowerAscii(static_cast<unsigned char>(c)));
  });
  return lower;
}

}  // namespace timbre::text
