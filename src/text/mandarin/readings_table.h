// Our own readings, over pypinyin's: words it lacks or reads otherwise than the mainland standard,
// and the usual reading of a character that stands alone as a word.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace timbre::text::mandarin {

// {word, its syllables joined by spaces}
extern const std::span<const std::pair<std::string_view, std::string_view>> kOurReadings;

}  // namespace timbre::text::mandarin
