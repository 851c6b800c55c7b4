#include "text/english/words.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text/english/lexicon.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

bool IsUpper(char c) { return IsAsciiUpper(static_cast<unsigned char>(c)); }
bool IsLower(char c) { return IsAsciiLower(static_cast<unsigned char>(c)); }
char Lower(char c) { return static_cast<char>(ToLowerAscii(static_cast<unsigned char>(c))); }
bool IsVowel(char c) { return std::string_view("aeiouy").find(Lower(c)) != std::string_view::npos; }

// Initialisms that are spelled although a word is written alike.
bool IsSpelled(std::string_view upper) {
  static constexpr std::array<std::string_view, 45> kSpelled = {
      "AE", "AI",  "AM",  "AP",  "AR", "CAD", "CAM", "CD",  "CIA", "DA",  "DE",  "DOS",
      "ER", "ETA", "HR",  "HUD", "ID", "IM",  "IP",  "IT",  "LA",  "LED", "LEO", "MA",
      "MS", "OR",  "OS",  "PA",  "PH", "PI",  "PM",  "PR",  "PS",  "PT",  "RE",  "SAP",
      "SD", "SEC", "SOS", "SQL", "UN", "US",  "VAT", "VIP", "WAN"};
  return std::ranges::find(kSpelled, upper) != kSpelled.end();
}

// "USA Y UW2 EH2 S EY1": the dictionary spells it itself.
bool PhonesSpellIt(std::string_view phones, std::string_view lower) {
  std::string spelled;
  std::string plain;
  for (const char letter : lower) {
    if (letter == '\'') return false;
    spelled.append(LetterPhones(letter)).push_back(' ');
  }
  spelled.pop_back();
  const auto without_stress = [](std::string_view text) {
    std::string out;
    std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c < '0' || c > '9'; });
    return out;
  };
  return without_stress(spelled) == without_stress(phones);
}

// Could an unknown word in capitals be said as a word (CUDA, YOLO)? It needs vowels between
// consonants, and no heap of consonants anywhere.
bool IsPronounceable(std::string_view word) {
  if (word.size() < 4) return false;
  std::size_t consonants = 0;
  std::size_t vowels = 0;
  std::size_t run = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (IsVowel(word[i])) {
      ++vowels;
      run = 0;
      continue;
    }
    ++consonants;
    ++run;
    const bool starts_with_two = run == 2 && i == 1;
    const bool soft_second =
        std::string_view("lrhw").find(Lower(word[i])) != std::string_view::npos;
    if (run > 2 || (starts_with_two && !soft_second && Lower(word[0]) != 's')) return false;
  }
  return vowels >= 2 && consonants >= 1 && vowels <= consonants + 1;
}

std::optional<std::string_view> FindWord(const Scanner& scanner, std::string_view lower) {
  const auto listed = FindInLexicon(lower);
  return listed ? listed : scanner.dictionary().Find(lower);
}

bool HasVowel(std::string_view word) { return std::ranges::any_of(word, IsVowel); }

// "ChatBot" -> Chat, Bot; "XGBoost" -> XG, Boost.
std::vector<std::string_view> CamelParts(std::string_view word) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const bool rises = IsLower(word[i - 1]) && IsUpper(word[i]);
    const bool last_capital = i + 1 < word.size() && IsUpper(word[i - 1]) && IsUpper(word[i]) &&
                              IsLower(word[i + 1]) && i + 2 < word.size();
    if (rises || last_capital) {
      parts.push_back(word.substr(start, i - start));
      start = i;
    }
  }
  parts.push_back(word.substr(start));
  return parts;
}

void SayCapitals(Scanner& scanner, std::string_view word, WordPlace place) {
  const std::string lower = LowerAscii(word);
  const auto phones = FindWord(scanner, lower);
  const std::size_t start = scanner.at() - word.size();
  const bool by_ampersand =
      scanner.Peek() == U'&' || (start > 0 && scanner.PeekAt(start - 1) == U'&');
  static constexpr std::array<std::string_view, 11> kVowelless = {
      "blvd", "dr", "hm", "hmm", "hmmm", "jr", "ltd", "mhm", "mr", "mrs", "shh"};
  const bool initials = !HasVowel(word) && std::ranges::find(kVowelless, lower) == kVowelless.end();
  const bool as_word = place == WordPlace::kText && !IsSpelled(word) && !by_ampersand &&
                       !initials &&
                       (phones ? !PhonesSpellIt(*phones, lower) : IsPronounceable(word));
  const bool shouted = scanner.shouting() && phones.has_value() && !PhonesSpellIt(*phones, lower);
  if (as_word || (shouted && !initials)) {
    scanner.Say(lower);
  } else {
    scanner.Say(LetterNames(word));
  }
}

// A single letter: the article "a", or a name of a letter.
void SayLetter(Scanner& scanner, char letter, WordPlace place) {
  static constexpr std::array<std::string_view, 18> kBeforeNames = {
      "grade", "plan",   "vitamin",   "type", "class",    "section", "option", "group",  "team",
      "point", "letter", "hepatitis", "part", "appendix", "exhibit", "gate",   "answer", "unit"};
  if (letter == 'a' && place == WordPlace::kText) {
    scanner.Say("a");
    return;
  }
  const bool label =
      std::ranges::find(kBeforeNames, LowerAscii(scanner.last_word())) != kBeforeNames.end();
  const char32_t next = scanner.Peek(1);
  const bool free = scanner.clause_start() || scanner.shouting();
  const bool article = letter == 'A' && place == WordPlace::kText && !label &&
                       scanner.Peek() == U' ' &&
                       (IsAsciiLower(next) || (free && (IsAsciiUpper(next) || IsAsciiDigit(next))));
  scanner.Say(article ? std::string("a") : LetterNames(std::string_view(&letter, 1)));
}

void SayPart(Scanner& scanner, std::string_view part, WordPlace place) {
  const bool capitals = std::ranges::none_of(part, IsLower);
  if (part.size() == 1 || capitals) {
    if (part.size() > 1) {
      SayCapitals(scanner, part, place);
    } else {
      scanner.Say(LetterNames(part));
    }
    return;
  }
  scanner.Say(LowerAscii(part));
}

}  // namespace

std::string LetterNames(std::string_view letters) {
  std::string names;
  for (const char letter : letters) {
    if (!IsAsciiLetter(static_cast<unsigned char>(letter))) continue;
    if (!names.empty()) names.push_back(' ');
    names.push_back(IsLower(letter) ? static_cast<char>(letter - 32) : letter);
  }
  return names;
}

void SayWord(Scanner& scanner, std::string_view word, WordPlace place) {
  if (word.size() == 1) {
    SayLetter(scanner, word[0], place);
    return;
  }
  // "GPU's", "GPUs": letters, then the ending.
  const std::size_t quote = word.find('\'');
  const std::string_view stem = word.substr(0, quote);
  const bool stem_capitals = std::ranges::none_of(stem, IsLower);
  if (quote != std::string_view::npos && stem.size() > 1 && stem_capitals &&
      word.substr(quote) == "'s") {
    SayCapitals(scanner, stem, place);
    scanner.Join("'s");
    return;
  }
  const std::string lower = LowerAscii(word);
  const auto known = FindWord(scanner, lower);
  if (quote != std::string_view::npos) {
    scanner.Say(word);
    return;
  }
  const std::string_view singular = word.substr(0, word.size() - 1);
  if (word.back() == 's' && singular.size() > 1 && std::ranges::none_of(singular, IsLower) &&
      (!known || IsSpelled(singular))) {
    SayCapitals(scanner, singular, place);
    scanner.Join("'s");
    return;
  }
  if (std::ranges::none_of(word, IsLower)) {
    SayCapitals(scanner, word, place);
    return;
  }
  const bool short_part = place != WordPlace::kText && word.size() <= 3;
  if (short_part && (!known || place == WordPlace::kNextToDigit)) {
    scanner.Say(LetterNames(word));
    return;
  }
  if (known) {
    const bool spelled = PhonesSpellIt(*known, lower);
    scanner.Say(spelled ? LetterNames(word) : std::string(word));
    return;
  }
  if (!HasVowel(word)) {  // "html5", "Tx"
    scanner.Say(LetterNames(word));
    return;
  }
  const std::vector<std::string_view> parts = CamelParts(word);
  const bool scottish = word.starts_with("Mc") || word.starts_with("Mac");
  if (parts.size() == 1 || (scottish && parts.size() == 2)) {
    scanner.Say(word);
    return;
  }
  for (const std::string_view part : parts) SayPart(scanner, part, place);
}

}  // namespace timbre::text
