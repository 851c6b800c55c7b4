// One written word of letters -> what is said: as it is, letter by letter (GPU), or in parts
// (XGBoost, ChatBot).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/english/scanner.h"

namespace timbre::text {

enum class WordPlace {
  kText,
  kAddress,      // inside an address: short unknown parts are spelled
  kNextToDigit,  // MP3, x86: short parts are spelled
};

// Letters and apostrophes inside.
void SayWord(Scanner& scanner, std::string_view word, WordPlace place);

// "gpu" -> "G P U".
std::string LetterNames(std::string_view letters);

// Dr., St., e.g., p.m., J. K., U.S.: abbreviations with a dot, and a few without.
bool ReadAbbreviation(Scanner& scanner);

// World War II, Henry VIII, Chapter IV.
bool ReadRomanNumeral(Scanner& scanner);

}  // namespace timbre::text
