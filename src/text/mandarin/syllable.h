// Pinyin syllables: reading what people and dictionaries write, and spelling them as phones.
// Pure functions. Our form is ASCII letters and a tone digit, 5 neutral, v for u with dots
// ("hang2", "lv4", "de5"), with the one exception of the bare "ê1".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace timbre::text::mandarin {

// "zhang3", "ZHANG3", "zhǎng", "lü4", "lu:4", "de" (neutral), "m̀" -> our form; nothing when no
// Mandarin syllable is spelled like that.
std::optional<std::string> ParsePinyin(std::string_view written);

struct SyllablePhones {
  std::string initial;  // "zh"; "AA", "EE", "OO" before a bare vowel
  std::string final;    // "ong1"
};

// The two phones of a syllable in our form, both in the v2 phone table; nothing for other strings.
// Syllables without a vowel are spelled with the nearest one: m as mu, n as en, ng as eng.
std::optional<SyllablePhones> SpellSyllable(std::string_view pinyin);

}  // namespace timbre::text::mandarin
