// Words that CMUdict lacks or reads in another sense than today's texts mean. Our own list.
#pragma once

#include <optional>
#include <string_view>

namespace timbre::text {

// "R EH1 D" for a word in lower case.
std::optional<std::string_view> FindInLexicon(std::string_view word);

// The phones of a letter's name, a..z.
std::string_view LetterPhones(char letter);

}  // namespace timbre::text
