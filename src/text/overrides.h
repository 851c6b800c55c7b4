// Readings that the user gives for single words, in either language.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace timbre::text {

// Word -> how it is read. Mandarin: one pinyin syllable per character, spoken as given ("长假" ->
// {"zhang3", "jia4"}; "lü4" and "lv4" both stand). English: the phones of the word ("HH", "AH0",
// ...), or one item of plain respelling. The longest word wins where several match at one place.
using Overrides = std::map<std::string, std::vector<std::string>>;

}  // namespace timbre::text
