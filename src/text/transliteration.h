// Characters of other Latin alphabets and typographic marks in ASCII, the way the Tacotron cleaners
// see them ("é" -> "e", "£" -> "PS", "–" -> "-"). Spellings follow the Unidecode package, for Latin
// letters, punctuation and full-width forms. Pure functions.
#pragma once

#include <optional>
#include <string>

namespace timbre::text {

// The ASCII spelling, maybe empty; nothing for characters outside the tables.
std::optional<std::string> AsciiOf(char32_t c);

// A letter of a Latin alphabet beyond ASCII ("é", "ß", "ǎ").
bool IsExtendedLatin(char32_t c);

}  // namespace timbre::text
