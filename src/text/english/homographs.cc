#include "text/english/homographs.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "text/english/scanner.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

template <std::size_t N>
bool Has(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// Words in lower case around a place; empty strings are marks and the ends of the text.
class Context {
 public:
  Context(std::span<const std::string> sentence, std::size_t at) : sentence_(sentence), at_(at) {}

  std::string Word(int offset) const {
    const auto place = static_cast<std::ptrdiff_t>(at_) + offset;
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(sentence_.size())) return "";
    return LowerAscii(sentence_[static_cast<std::size_t>(place)]);
  }

  // The word before, adverbs that may stand between a verb and its helper passed over.
  std::string Before() const {
    static constexpr std::array<std::string_view, 11> kPassed = {
        "not", "never", "always", "also", "just", "still", "often", "even", "now", "only", "ever"};
    for (int offset = -1; offset >= -3; --offset) {
      const std::string word = Word(offset);
      const bool adverb = Has(kPassed, word) || (word.size() > 4 && word.ends_with("ly"));
      if (!adverb || offset == -3) return word;
    }
    return "";
  }

  // Yesterday, last week, a year ago: within six words and no mark between.
  bool TellsOfThePast() const {
    for (const int step : {-1, 1}) {
      for (int offset = step; std::abs(offset) <= 6; offset += step) {
        const std::string word = Word(offset);
        if (word.empty()) break;
        if (word == "yesterday" || word == "last" || word == "ago" || word == "once") return true;
      }
    }
    return false;
  }

 private:
  std::span<const std::string> sentence_;
  std::size_t at_;
};

bool IsBe(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kBe = {
      "am", "is", "are", "was", "were", "be", "been", "being", "feel", "felt", "seem", "seemed"};
  return Has(kBe, word);
}

bool IsHave(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kHave = {"have",   "has",     "had",
                                                            "having", "haven't", "hasn't"};
  return Has(kHave, word) || word.ends_with("'ve");
}

bool CallsForVerb(std::string_view before) {
  static constexpr std::array<std::string_view, 33> kHelpers = {
      "to",        "will",    "would", "can",      "could", "should", "must",
      "may",       "might",   "shall", "do",       "does",  "did",    "don't",
      "didn't",    "doesn't", "won't", "wouldn't", "can't", "cannot", "couldn't",
      "shouldn't", "i",       "you",   "we",       "they",  "let's",  "please",
      "who",       "mustn't", "let",   "us",       "gonna"};
  return Has(kHelpers, before) || before.ends_with("'ll") || before.ends_with("'d");
}

bool StartsObject(std::string_view word) {
  static constexpr std::array<std::string_view, 19> kDeterminers = {
      "the", "a",   "an",  "this",  "that", "these", "those", "your", "my", "his",
      "her", "its", "our", "their", "it",   "them",  "all",   "me",   "him"};
  return Has(kDeterminers, word);
}

bool IsVerb(const Context& context, std::string_view word) {
  const std::string before = context.Before();
  if (CallsForVerb(before)) return true;
  static constexpr std::array<std::string_view, 4> kThirdPerson = {"he", "she", "it", "which"};
  if (word.ends_with('s') && Has(kThirdPerson, before)) return true;
  const bool clause_start = before.empty() || before == "and" || before == "then" || before == "or";
  return clause_start && StartsObject(context.Word(1));
}

// Which vowel of "AA1 B JH EH0 K T" has the main stress, from 0.
int StressedVowel(std::string_view phones) {
  int vowels = 0;
  for (const char c : phones) {
    if (c == '1') return vowels;
    if (c == '0' || c == '2') ++vowels;
  }
  return vowels;
}

// Words whose pair is not verb against noun.
std::optional<std::string_view> ChooseSpecial(const Context& context, std::string_view word,
                                              bool capital) {
  static constexpr std::array<std::string_view, 9> kMetal = {
      "pipe", "pipes", "poisoning", "paint", "pencil", "bullet", "bullets", "acid", "ore"};
  static constexpr std::array<std::string_view, 12> kLiving = {
      "in",     "with",  "near",    "there",   "here",  "together",
      "longer", "alone", "forever", "without", "under", "by"};
  static constexpr std::array<std::string_view, 4> kFishing = {"sea", "largemouth", "striped",
                                                               "catch"};
  const std::string before = context.Before();
  const std::string after = context.Word(1);
  if (word == "read") {
    static constexpr std::array<std::string_view, 6> kPast = {"he",   "she",    "it",
                                                              "well", "widely", "already"};
    const bool past = IsHave(before) || IsHave(context.Word(-2)) || IsBe(before) ||
                      context.TellsOfThePast() || Has(kPast, before) || before.ends_with("'s");
    return past ? "R EH1 D" : "R IY1 D";
  }
  if (word == "lead") {
    const bool metal =
        Has(kMetal, after) || (before == "of" && after.empty()) || (before == "heavy");
    return metal ? "L EH1 D" : "L IY1 D";
  }
  if (word == "live") {
    if (IsBe(before)) return "L AY1 V";
    if (Has(kLiving, after) || CallsForVerb(before)) return "L IH1 V";
    return "L AY1 V";
  }
  if (word == "lives") {
    static constexpr std::array<std::string_view, 14> kOwners = {
        "my",    "your", "his",  "her",  "our", "their", "the",
        "these", "of",   "many", "nine", "two", "save",  "saved"};
    return Has(kOwners, before) ? "L AY1 V Z" : "L IH1 V Z";
  }
  if (word == "tears") return IsVerb(context, word) ? "T EH1 R Z" : "T IH1 R Z";
  if (word == "used") {
    const bool habit = after == "to" && !IsBe(before);
    return habit ? "Y UW1 S T" : "Y UW1 Z D";
  }
  if (word == "bass") return Has(kFishing, before) ? "B AE1 S" : "B EY1 S";
  if (word == "wind") return CallsForVerb(before) ? "W AY1 N D" : "W IH1 N D";
  if (word == "content") return IsBe(before) ? "K AH0 N T EH1 N T" : "K AA1 N T EH0 N T";
  if (word == "closer") return "K L OW1 S ER0";
  if (word == "complex") return "K AH0 M P L EH1 K S";
  if (word == "polish") return capital && !before.empty() ? "P OW1 L IH0 SH" : "P AA1 L IH0 SH";
  if (word == "minute") {
    static constexpr std::array<std::string_view, 4> kDegree = {"very", "so", "too", "these"};
    return Has(kDegree, before) ? "M AY0 N UW1 T" : "M IH1 N AH0 T";
  }
  return std::nullopt;
}

}  // namespace

Result<Homographs> Homographs::Load(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) {
    return Fail(ErrorCode::kNotFound, "dictionary_missing",
                "The list of homographs {} cannot be read.", path.string());
  }
  Homographs homographs;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::array<std::string, 4> fields;
    std::size_t at = 0;
    for (std::size_t i = 0; i < fields.size() && at <= line.size(); ++i) {
      const std::size_t bar = std::min(line.find('|', at), line.size());
      fields[i] = line.substr(at, bar - at);
      at = bar + 1;
    }
    while (!fields[3].empty() && fields[3].back() == '\r') fields[3].pop_back();
    if (fields[3].empty()) {
      return Fail(ErrorCode::kCorrupt, "dictionary_broken",
                  "The list of homographs {} has a line without four fields.", path.string());
    }
    const std::string word = LowerAscii(fields[0]);
    // Some lines of the published list have the readings of verb and noun exchanged ("object"): of
    // two stresses the later one is the verb's, but for verbs in -ate and Greek plurals.
    const bool regular = !word.ends_with("ate") && !word.ends_with("oses");
    if (regular && fields[3][0] == 'V' && StressedVowel(fields[1]) < StressedVowel(fields[2])) {
      std::swap(fields[1], fields[2]);
    }
    homographs.readings_[word] = {fields[1], fields[2], fields[3][0] == 'V'};
  }
  return homographs;
}

std::optional<std::string_view> Homographs::Choose(std::span<const std::string> sentence,
                                                   std::size_t at) const {
  const std::string word = LowerAscii(sentence[at]);
  const Context context(sentence, at);
  const bool capital =
      !sentence[at].empty() && IsAsciiUpper(static_cast<unsigned char>(sentence[at][0]));
  if (const auto special = ChooseSpecial(context, word, capital)) return special;
  const auto found = readings_.find(word);
  if (found == readings_.end()) return std::nullopt;
  const Readings& readings = found->second;
  return !readings.verb_first || IsVerb(context, word) ? readings.verb : readings.other;
}

}  // namespace timbre::text
