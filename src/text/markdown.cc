// The markdown part of clean_up.h.
#include <algorithm>
#include <cstddef>

#include "text/clean_up.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

bool IsAlnum(char32_t c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }

std::u32string_view WithoutSpaces(std::u32string_view line) {
  while (!line.empty() && line.front() == U' ') line.remove_prefix(1);
  return line;
}

// ---, ***, ===, ``` and |---|:---:|
bool IsDecoration(std::u32string_view line) {
  if (line.starts_with(U"```") || line.starts_with(U"~~~")) return true;
  const bool only_signs =
      line.find_first_not_of(U"-*_=|:+ #>~") == std::u32string_view::npos && line.size() >= 3;
  return only_signs && std::ranges::any_of(line, [](char32_t c) {
           return c == U'-' || c == U'*' || c == U'_' || c == U'=';
         });
}

// Heading signs, quotes, list marks and check boxes in front of the words.
std::u32string_view WithoutLineStart(std::u32string_view line) {
  for (bool again = true; again;) {
    again = false;
    line = WithoutSpaces(line);
    const std::size_t hashes = std::min(line.find_first_not_of(U'#'), line.size());
    if (hashes >= 1 && hashes <= 6 && (hashes == line.size() || line[hashes] == U' ')) {
      line.remove_prefix(hashes);
      again = true;
    } else if (line.size() > 1 && line[1] == U' ' &&
               std::u32string_view(U"-*+•>·●○▪■◦–—").find(line[0]) != std::u32string_view::npos) {
      line.remove_prefix(2);
      again = true;
    } else if (line.starts_with(U"> ") || line.starts_with(U">>")) {
      line.remove_prefix(1);
      again = true;
    } else if (line.starts_with(U"[ ] ") || line.starts_with(U"[x] ") ||
               line.starts_with(U"[X] ")) {
      line.remove_prefix(4);
      again = true;
    }
  }
  return line;
}

// Digits of "1. " or "2) " at the start of a line, 0 for none.
std::size_t ListNumber(std::u32string_view line) {
  std::size_t digits = 0;
  while (digits < line.size() && IsAsciiDigit(line[digits])) ++digits;
  const bool list = digits >= 1 && digits <= 3 && digits + 2 < line.size() &&
                    (line[digits] == U'.' || line[digits] == U')') && line[digits + 1] == U' ';
  return list ? digits : 0;
}

// For "[text](address)" at `open` the places of its parts; false when it is no link.
bool FindLink(std::u32string_view line, std::size_t open, std::size_t* text_end, std::size_t* end) {
  constexpr std::size_t kLongest = 2000;
  std::size_t depth = 0;
  std::size_t close = open;
  for (; close < line.size() && close - open < kLongest; ++close) {
    if (line[close] == U'[') ++depth;
    if (line[close] == U']' && --depth == 0) break;
  }
  if (close >= line.size() || line[close] != U']' || close + 1 >= line.size()) return false;
  if (line[close + 1] != U'(') return false;
  std::size_t brackets = 0;
  for (std::size_t at = close + 1; at < line.size() && at - close < kLongest; ++at) {
    if (line[at] == U'(') ++brackets;
    if (line[at] == U')' && --brackets == 0) {
      *text_end = close;
      *end = at + 1;
      return true;
    }
  }
  return false;
}

// Emphasis signs hug the words; arithmetic stands between digits or spaces.
bool IsEmphasis(std::u32string_view line, std::size_t at) {
  const char32_t sign = line[at];
  if (sign == U'`') return true;
  std::size_t first = at;
  std::size_t last = at;
  while (first > 0 && line[first - 1] == sign && at - first < 4) --first;
  while (last + 1 < line.size() && line[last + 1] == sign && last - at < 4) ++last;
  const char32_t before = first > 0 ? line[first - 1] : U' ';
  const char32_t after = last + 1 < line.size() ? line[last + 1] : U' ';
  if (sign == U'~') return first < last;
  if (before == U' ' && after == U' ') return false;
  if (sign == U'_') return !IsAlnum(before) || !IsAlnum(after);
  return !(IsAsciiDigit(before) && IsAsciiDigit(after));
}

}  // namespace

std::u32string WithoutMarkdown(std::u32string_view line) {
  line = WithoutSpaces(line);
  if (IsDecoration(line)) return {};
  line = WithoutLineStart(line);
  std::u32string out;
  out.reserve(line.size());
  if (const std::size_t digits = ListNumber(line); digits > 0) {  // "1. Eggs" is no sentence "1."
    out.append(line.substr(0, digits)).push_back(U',');
    line.remove_prefix(digits + 1);
  }
  std::size_t link_text_end = std::u32string_view::npos;
  std::size_t link_end = 0;
  std::size_t failed_links = 0;
  for (std::size_t at = 0; at < line.size();) {
    const char32_t c = line[at];
    if (at == link_text_end) {
      at = link_end;
      link_text_end = std::u32string_view::npos;
      continue;
    }
    const bool image = c == U'!' && at + 1 < line.size() && line[at + 1] == U'[';
    const std::size_t open = at + (image ? 1 : 0);
    // A limit on what did not turn out to be links keeps hostile texts linear.
    if ((c == U'[' || image) && link_text_end == std::u32string_view::npos && failed_links < 20) {
      if (FindLink(line, open, &link_text_end, &link_end)) {
        at = open + 1;
        continue;
      }
      link_text_end = std::u32string_view::npos;
      ++failed_links;
    }
    const bool sign = c == U'*' || c == U'_' || c == U'`' || c == U'~';
    if (!sign || !IsEmphasis(line, at)) out.push_back(c);
    ++at;
  }
  return out;
}

}  // namespace timbre::text
