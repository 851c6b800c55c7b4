#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "text/english/number_words.h"
#include "text/english/words.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

// 1..39 for a well-formed numeral of I, V and X, else 0.
int RomanValue(std::string_view numeral) {
  static constexpr std::array<std::string_view, 10> kUnits = {"",  "I",  "II",  "III",  "IV",
                                                              "V", "VI", "VII", "VIII", "IX"};
  int tens = 0;
  while (tens < 3 && numeral.starts_with('X')) {
    numeral.remove_prefix(1);
    ++tens;
  }
  const auto found = std::ranges::find(kUnits, numeral);
  if (found == kUnits.end()) return 0;
  return tens * 10 + static_cast<int>(found - kUnits.begin());
}

bool Has(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool IsNumberedThing(std::string_view word) {
  static constexpr std::array<std::string_view, 31> kThings = {
      "chapter", "part",    "section", "volume", "act",   "scene",    "war",     "phase",
      "stage",   "type",    "class",   "level",  "book",  "article",  "figure",  "table",
      "bowl",    "grade",   "title",   "mark",   "unit",  "appendix", "canto",   "apollo",
      "rocky",   "episode", "version", "tier",   "annex", "schedule", "category"};
  return Has(kThings, word);
}

bool IsRuler(std::string_view word) {
  static constexpr std::array<std::string_view, 38> kRulers = {
      "henry",   "louis",    "elizabeth", "george",    "edward",    "charles",  "william",
      "james",   "richard",  "paul",      "pope",      "king",      "queen",    "philip",
      "francis", "benedict", "pius",      "napoleon",  "catherine", "nicholas", "alexander",
      "ramses",  "leo",      "gregory",   "frederick", "ferdinand", "peter",    "mary",
      "john",    "clement",  "innocent",  "urban",     "ivan",      "otto",     "robert",
      "leopold", "wilhelm",  "christian"};
  return Has(kRulers, word);
}

}  // namespace

bool ReadRomanNumeral(Scanner& scanner) {
  if (scanner.LooksAt("WWI") && !IsAsciiLetter(scanner.Before())) {
    const bool second = scanner.LooksAt("WWII");
    if (scanner.EndsAt(second ? 4 : 3)) {
      scanner.Say(second ? "World War two" : "World War one");
      scanner.Advance(second ? 4 : 3);
      return true;
    }
  }
  const char32_t first = scanner.Peek();
  if ((first != U'I' && first != U'V' && first != U'X') || IsAsciiLetter(scanner.Before()))
    return false;
  const std::string numeral = scanner.Letters(0, 10);
  if (!scanner.EndsAt(numeral.size()) || scanner.Peek(numeral.size()) == U'\'') return false;
  const int value = RomanValue(numeral);
  if (value == 0 || scanner.clause_start()) return false;
  const std::string before = LowerAscii(scanner.last_word());
  const bool capital_before = IsAsciiUpper(static_cast<unsigned char>(scanner.last_word()[0]));
  const bool thing = IsNumberedThing(before);
  const bool ruler = IsRuler(before) && capital_before;
  // One letter may be the pronoun or a letter: "Type I error" and "Elizabeth I" are clear enough.
  if (numeral.size() == 1 && !thing && !(ruler && first != U'I')) return false;
  if (numeral == "XX" || numeral == "XXX" || (!thing && !capital_before)) return false;
  const std::string digits = std::to_string(value);
  scanner.Say(ruler ? "the " + OrdinalWords(digits) : CardinalWords(digits));
  scanner.Advance(numeral.size());
  return true;
}

}  // namespace timbre::text
