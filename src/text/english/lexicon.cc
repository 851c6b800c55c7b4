#include "text/english/lexicon.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/check.h"

namespace timbre::text {
namespace {

struct Entry {
  std::string_view word;
  std::string_view phones;
};

constexpr auto kEntries = std::to_array<Entry>({
#include "text/english/lexicon.inc"
});
static_assert(std::ranges::is_sorted(kEntries, {}, &Entry::word));

constexpr std::array<std::string_view, 26> kLetters = {"EY1",
                                                       "B IY1",
                                                       "S IY1",
                                                       "D IY1",
                                                       "IY1",
                                                       "EH1 F",
                                                       "JH IY1",
                                                       "EY1 CH",
                                                       "AY1",
                                                       "JH EY1",
                                                       "K EY1",
                                                       "EH1 L",
                                                       "EH1 M",
                                                       "EH1 N",
                                                       "OW1",
                                                       "P IY1",
                                                       "K Y UW1",
                                                       "AA1 R",
                                                       "EH1 S",
                                                       "T IY1",
                                                       "Y UW1",
                                                       "V IY1",
                                                       "D AH1 B AH0 L Y UW0",
                                                       "EH1 K S",
                                                       "W AY1",
                                                       "Z IY1"};

}  // namespace

std::optional<std::string_view> FindInLexicon(std::string_view word) {
  const auto found = std::ranges::lower_bound(kEntries, word, {}, &Entry::word);
  if (found == kEntries.end() || found->word != word) return std::nullopt;
  return found->phones;
}

std::string_view LetterPhones(char letter) {
  TIMBRE_CHECK(letter >= 'a' && letter <= 'z');
  return kLetters[static_cast<std::size_t>(letter - 'a')];
}

}  // namespace timbre::text
