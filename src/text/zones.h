// Which rules read which part of a line. Letters tell their language themselves; digits and signs
// follow the words around them: Mandarin next to Han characters, English inside English clauses.
// Linear in the text; pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/analysis.h"

namespace timbre::text {

struct Zone {
  Language language = Language::kEnglish;  // never kAuto
  std::u32string text;                     // may hold words of the other language
};

// Covers the whole line in order. `language` other than kAuto gives all digits and signs to it.
std::vector<Zone> FindZones(std::u32string_view line, Language language);

// A normalised Mandarin text in parts of one script each: Latin words (with what stands between
// them) and everything else.
std::vector<Zone> SplitScripts(std::u32string_view normalised);

}  // namespace timbre::text
