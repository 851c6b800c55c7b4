#include "text/zones.h"

#include <algorithm>
#include <cstddef>

#include "text/transliteration.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

bool IsLatin(char32_t c) { return IsAsciiLetter(c) || IsExtendedLatin(c); }
bool IsMandarin(char32_t c) { return IsHan(c) || IsKana(c); }

// Marks that part clauses; the wide ones belong to Mandarin.
bool IsWideMark(char32_t c) {
  return std::u32string_view(U"，。！？；：、（）【】「」『』《》…—").find(c) !=
         std::u32string_view::npos;
}

bool EndsClause(std::u32string_view line, std::size_t at) {
  const char32_t c = line[at];
  if (IsWideMark(c)) return true;
  const bool narrow = c == U',' || c == U'!' || c == U'?' || c == U';' || c == U'.' || c == U':';
  return narrow && (at + 1 == line.size() || line[at + 1] == U' ');
}

struct Counts {
  std::size_t latin_words = 0;
  std::size_t han = 0;
};

Counts Count(std::u32string_view part) {
  Counts counts;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (IsMandarin(part[i])) ++counts.han;
    if (IsLatin(part[i]) && (i == 0 || !IsLatin(part[i - 1]))) ++counts.latin_words;
  }
  return counts;
}

void Add(Language language, std::u32string_view text, std::vector<Zone>* zones) {
  if (text.empty()) return;
  if (!zones->empty() && zones->back().language == language) {
    zones->back().text.append(text);
  } else {
    zones->push_back({language, std::u32string(text)});
  }
}

bool IsNumberCharacter(char32_t c) {
  return IsAsciiDigit(c) || c == U'.' || c == U',' || c == U'%';
}

// English between Han characters; a number that touches one of them goes with it ("第3", "3个").
void AddEnglish(std::u32string_view part, bool han_before, bool han_after,
                std::vector<Zone>* zones) {
  std::size_t first = 0;
  std::size_t last = part.size();
  while (han_before && first < last && IsNumberCharacter(part[first])) ++first;
  while (han_after && last > first && IsNumberCharacter(part[last - 1])) --last;
  Add(Language::kMandarin, part.substr(0, first), zones);
  Add(Language::kEnglish, part.substr(first, last - first), zones);
  Add(Language::kMandarin, part.substr(last), zones);
}

// A clause with Han characters: long runs of English words inside are English, the rest Mandarin.
void AddMixedClause(std::u32string_view clause, std::size_t english_words,
                    std::vector<Zone>* zones) {
  for (std::size_t start = 0; start < clause.size();) {
    std::size_t end = start;
    while (end < clause.size() && IsMandarin(clause[end]) == IsMandarin(clause[start])) ++end;
    const std::u32string_view part = clause.substr(start, end - start);
    if (!IsMandarin(part[0]) && Count(part).latin_words >= english_words) {
      AddEnglish(part, start > 0, end < clause.size(), zones);
    } else {
      Add(Language::kMandarin, part, zones);
    }
    start = end;
  }
}

}  // namespace

std::vector<Zone> FindZones(std::u32string_view line, Language language) {
  constexpr std::size_t kEnglishClause = 3;      // words of a clause without Han characters
  constexpr std::size_t kEnglishInMandarin = 5;  // words in a row inside a Mandarin clause
  const bool any_han = std::ranges::any_of(line, IsMandarin);
  if (language == Language::kMandarin) return {{Language::kMandarin, std::u32string(line)}};
  if (!any_han) return {{Language::kEnglish, std::u32string(line)}};
  const Counts whole = Count(line);
  const bool mostly_english = whole.latin_words >= 4 && whole.latin_words > whole.han;
  std::vector<Zone> zones;
  if (language == Language::kEnglish) {
    AddMixedClause(line, 0, &zones);
    return zones;
  }
  for (std::size_t start = 0; start < line.size();) {
    std::size_t end = start;
    while (end < line.size() && !EndsClause(line, end)) ++end;
    while (end < line.size() && (EndsClause(line, end) || line[end] == U' ')) ++end;
    const std::u32string_view clause = line.substr(start, end - start);
    const Counts counts = Count(clause);
    if (counts.han > 0) {
      AddMixedClause(clause, mostly_english ? 0 : kEnglishInMandarin, &zones);
    } else if (counts.latin_words >= kEnglishClause || mostly_english) {
      Add(Language::kEnglish, clause, &zones);
    } else {
      // Too little to tell ("GPT-4, 5%"): as the text before it, else Mandarin.
      Add(zones.empty() ? Language::kMandarin : zones.back().language, clause, &zones);
    }
    start = end;
  }
  return zones;
}

std::vector<Zone> SplitScripts(std::u32string_view normalised) {
  std::vector<Zone> parts;
  for (std::size_t at = 0; at < normalised.size();) {
    if (!IsLatin(normalised[at])) {
      Add(Language::kMandarin, normalised.substr(at, 1), &parts);
      ++at;
      continue;
    }
    // As far as Latin words go on, with the signs inside and between them.
    std::size_t end = at;
    std::size_t scan = at;
    while (scan < normalised.size()) {
      const char32_t c = normalised[scan];
      const bool word = IsLatin(c) || IsAsciiDigit(c);
      const bool tail = (c == U'+' || c == U'#') && scan == end;  // C++, C#
      const bool between = std::u32string_view(U" -.'’&/+#@_").find(c) != std::u32string_view::npos;
      if (!word && !tail && !between) break;
      ++scan;
      if (word || tail) end = scan;
    }
    Add(Language::kEnglish, normalised.substr(at, end - at), &parts);
    at = end;
  }
  return parts;
}

}  // namespace timbre::text
