#include <algorithm>
#include <array>
#include <cstddef>

#include "text/english/numerals.h"
#include "text/english/words.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

enum class After {
  kAlways,   // the dot is never a full stop: "Mr."
  kMayEnd,   // the dot is also a full stop when a capital or nothing follows: "etc."
  kNumber,   // only before a digit: "No. 5"
  kCapital,  // only before a capital: "Mt. Everest"
};

struct Abbreviation {
  std::string_view written;
  std::string_view said;
  After after;
};

constexpr auto kAbbreviations = std::to_array<Abbreviation>({
    {"Mr", "Mister", After::kAlways},        {"Mrs", "Missus", After::kAlways},
    {"Ms", "Miss", After::kAlways},          {"Mx", "Mix", After::kAlways},
    {"Prof", "Professor", After::kAlways},   {"Rev", "Reverend", After::kAlways},
    {"Hon", "Honorable", After::kCapital},   {"Gen", "General", After::kCapital},
    {"Sgt", "Sergeant", After::kAlways},     {"Capt", "Captain", After::kAlways},
    {"Lt", "Lieutenant", After::kAlways},    {"Col", "Colonel", After::kCapital},
    {"Maj", "Major", After::kCapital},       {"Cmdr", "Commander", After::kAlways},
    {"Sen", "Senator", After::kCapital},     {"Rep", "Representative", After::kCapital},
    {"Gov", "Governor", After::kCapital},    {"Pres", "President", After::kCapital},
    {"Messrs", "Messieurs", After::kAlways}, {"Esq", "Esquire", After::kMayEnd},
    {"Jr", "Junior", After::kMayEnd},        {"Sr", "Senior", After::kMayEnd},
    {"Inc", "Incorporated", After::kMayEnd}, {"Corp", "Corporation", After::kMayEnd},
    {"Ltd", "Limited", After::kMayEnd},      {"Co", "Company", After::kMayEnd},
    {"Bros", "Brothers", After::kMayEnd},    {"Dept", "Department", After::kMayEnd},
    {"dept", "department", After::kMayEnd},  {"Univ", "University", After::kMayEnd},
    {"Assn", "Association", After::kMayEnd}, {"Ave", "Avenue", After::kMayEnd},
    {"Blvd", "Boulevard", After::kMayEnd},   {"Rd", "Road", After::kMayEnd},
    {"Hwy", "Highway", After::kMayEnd},      {"Mt", "Mount", After::kCapital},
    {"Ft", "Fort", After::kCapital},         {"vs", "versus", After::kAlways},
    {"etc", "et cetera", After::kMayEnd},    {"approx", "approximately", After::kAlways},
    {"est", "established", After::kNumber},  {"incl", "including", After::kAlways},
    {"ca", "circa", After::kNumber},         {"No", "number", After::kNumber},
    {"no", "number", After::kNumber},        {"Nos", "numbers", After::kNumber},
    {"nos", "numbers", After::kNumber},      {"p", "page", After::kNumber},
    {"pp", "pages", After::kNumber},         {"Vol", "Volume", After::kNumber},
    {"vol", "volume", After::kNumber},       {"Ch", "Chapter", After::kNumber},
    {"ch", "chapter", After::kNumber},       {"Sec", "Section", After::kNumber},
    {"sec", "section", After::kNumber},      {"Fig", "Figure", After::kNumber},
    {"fig", "figure", After::kNumber},       {"Figs", "Figures", After::kNumber},
    {"Eq", "Equation", After::kNumber},      {"eq", "equation", After::kNumber},
    {"Art", "Article", After::kNumber},      {"Ed", "Edition", After::kNumber},
    {"ext", "extension", After::kNumber},    {"Ext", "extension", After::kNumber},
    {"min", "minutes", After::kAlways},      {"max", "maximum", After::kAlways},
    {"ft", "feet", After::kAlways},          {"lbs", "pounds", After::kAlways},
    {"hrs", "hours", After::kAlways},        {"Tel", "telephone", After::kNumber},
});

// What stands after the dot at `dot`.
struct Next {
  bool end = false;  // end of text or line, or only closing marks
  bool capital = false;
  bool digit = false;
};

Next LookAfter(const Scanner& scanner, std::size_t dot) {
  std::size_t at = dot + 1;
  while (scanner.Peek(at) == U'"' || scanner.Peek(at) == U')' || scanner.Peek(at) == U'”') ++at;
  at += scanner.SpacesAt(at);
  const char32_t c = scanner.Peek(at);
  return {c == 0 || c == U'\n', IsAsciiUpper(c), IsAsciiDigit(c)};
}

void SayAndStop(Scanner& scanner, std::string_view words, std::size_t length, bool stop) {
  scanner.Say(words);
  scanner.Advance(length);
  if (stop) scanner.Mark(U'.');
}

// "Dr." is Doctor before a name and Drive after one; "St." is Saint or Street likewise.
bool ReadDoctorOrSaint(Scanner& scanner, std::string_view word) {
  if (word != "Dr" && word != "St") return false;
  const bool dot = scanner.Peek(2) == U'.';
  const Next next = LookAfter(scanner, dot ? 2 : 1);
  const bool after_name = !scanner.clause_start() && !scanner.last_word().empty() &&
                          IsAsciiUpper(static_cast<unsigned char>(scanner.last_word()[0]));
  const bool doctor = word == "Dr";
  const std::string before = LowerAscii(scanner.last_word());
  const bool after_ordinal =
      before.ends_with("th") || before == "first" || before == "second" || before == "third";
  if (next.capital && !after_ordinal && !(after_name && !doctor)) {
    SayAndStop(scanner, doctor ? "Doctor" : "Saint", dot ? 3 : 2, false);
    return true;
  }
  const bool road = after_name || after_ordinal || (!doctor && next.end);
  if (!road && !dot) return false;
  const bool stop = dot && (next.end || (next.capital && road));
  SayAndStop(scanner, doctor ? (road ? "Drive" : "Doctor") : (road ? "Street" : "Saint"),
             dot ? 3 : 2, stop);
  return true;
}

// Fri., Jan. 5 and Mon, 3 May; "Sun" and "Sat" alone are words.
bool ReadWeekday(Scanner& scanner, std::string_view word) {
  const std::string_view day = WeekdayName(word);
  if (day.empty()) return false;
  const std::size_t comma = word.size() + (scanner.Peek(word.size()) == U'.' ? 1 : 0);
  if (scanner.Peek(comma) != U',') return false;
  const bool date =
      IsAsciiDigit(scanner.Peek(comma + 2)) || !MonthName(scanner.Letters(comma + 2)).empty();
  if (!date && comma == word.size()) return false;
  SayAndStop(scanner, day, comma, false);
  return true;
}

// Letters with a dot each: U.S., a.m., e.g., J.K.
bool ReadDottedLetters(Scanner& scanner) {
  std::string letters;
  std::size_t at = 0;
  while (letters.size() < 12 && IsAsciiLetter(scanner.Peek(at)) && scanner.Peek(at + 1) == U'.') {
    letters.push_back(static_cast<char>(scanner.Peek(at)));
    at += 2;
  }
  if (letters.size() < 2) return false;
  if (IsAsciiLetter(scanner.Peek(at))) {
    // "A.B.Smith" is fine, "e.g.this" too; "example.c.om" began inside a word and never comes here.
    if (IsAsciiLower(scanner.Peek(at)) && IsAsciiUpper(static_cast<unsigned char>(letters[0])))
      return false;
  }
  const std::string lower = LowerAscii(letters);
  const Next next = LookAfter(scanner, at - 1);
  const bool half_day = lower == "am" || lower == "pm";
  const bool stop = next.end || (next.capital && half_day);
  if (lower == "eg") {
    SayAndStop(scanner, "for example", at, false);
  } else if (lower == "ie") {
    SayAndStop(scanner, "that is", at, false);
  } else {
    SayAndStop(scanner, LetterNames(letters), at, stop);
  }
  return true;
}

// The J. of "J. Smith": a stop would tear the name apart.
bool ReadInitial(Scanner& scanner) {
  const char32_t letter = scanner.Peek();
  if (!IsAsciiUpper(letter) || scanner.Peek(1) != U'.' || scanner.Peek(2) != U' ') return false;
  if (!IsAsciiUpper(scanner.Peek(3))) return false;
  const bool after_name = !scanner.last_word().empty() &&
                          IsAsciiUpper(static_cast<unsigned char>(scanner.last_word()[0])) &&
                          letter != U'I';
  static constexpr std::array<std::string_view, 5> kLabels = {"Plan", "Vitamin", "Class", "Type",
                                                              "Group"};
  const bool label = std::ranges::find(kLabels, scanner.last_word()) != kLabels.end();
  if ((!scanner.clause_start() && !after_name) || label) return false;
  const char name = static_cast<char>(letter);
  SayAndStop(scanner, std::string_view(&name, 1), 2, false);
  return true;
}

}  // namespace

bool ReadAbbreviation(Scanner& scanner) {
  const char32_t before = scanner.Before();
  if (!IsAsciiLetter(scanner.Peek()) || IsAsciiLetter(before) || before == U'\'') return false;
  // w/ and w/o
  if (ToLowerAscii(scanner.Peek()) == U'w' && scanner.Peek(1) == U'/' && !IsAsciiLetter(before)) {
    if (ToLowerAscii(scanner.Peek(2)) == U'o' && scanner.EndsAt(3)) {
      SayAndStop(scanner, "without", 3, false);
      return true;
    }
    if (scanner.Peek(2) == U' ') {
      SayAndStop(scanner, "with", 2, false);
      return true;
    }
  }
  if (ReadDottedLetters(scanner) || ReadInitial(scanner)) return true;
  for (const std::string_view degree : {"Ph.D", "M.Sc", "B.Sc"}) {
    if (!scanner.LooksAt(degree) || !scanner.EndsAt(4)) continue;
    const bool dot = scanner.Peek(4) == U'.';
    SayAndStop(scanner, LetterNames(degree), dot ? 5 : 4, dot && LookAfter(scanner, 4).end);
    return true;
  }
  const std::string word = scanner.Letters(0, 12);
  if (!scanner.EndsAt(word.size())) return false;
  if (ReadDoctorOrSaint(scanner, word) || ReadWeekday(scanner, word)) return true;
  if (word == "vs" || word == "Mr" || word == "Mrs" || word == "Ms") {
    const auto* entry = std::ranges::find(kAbbreviations, word, &Abbreviation::written);
    SayAndStop(scanner, entry->said, word.size() + (scanner.Peek(word.size()) == U'.'), false);
    return true;
  }
  const bool dot = scanner.Peek(word.size()) == U'.';
  const Next next = LookAfter(scanner, word.size() - (dot ? 0 : 1));
  const std::string_view month = MonthName(word);
  if (!month.empty() && month != word && next.digit) {
    SayAndStop(scanner, month, word.size() + (dot ? 1 : 0), false);
    return true;
  }
  if (!dot) return false;
  for (const Abbreviation& entry : kAbbreviations) {
    if (entry.written != word) continue;
    if (entry.after == After::kNumber && !next.digit) return false;
    if (entry.after == After::kCapital && !next.capital) return false;
    const bool stop = entry.after == After::kMayEnd ? next.end || next.capital : next.end;
    SayAndStop(scanner, entry.said, word.size() + 1, stop);
    return true;
  }
  return false;
}

}  // namespace timbre::text
