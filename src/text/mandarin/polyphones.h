// Characters with several readings, decided by the words around them. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/mandarin/readings.h"

namespace timbre::text::mandarin {

// The reading of character `at` of word `index` that no phrase decided; "" where its usual reading
// will do.
std::string ReadingByContext(const std::vector<Token>& words, std::size_t index, std::size_t at);

}  // namespace timbre::text::mandarin
