// Punctuation of every script as the six marks that have a phone: , . ! ? … -  Pure functions.
#pragma once

#include <string_view>

namespace timbre::text {

// One of , . ! ? … - for a mark that is heard as a pause, 0 for a silent one (quotation marks) and
// for every character that is no mark.
char32_t PhoneMark(char32_t c);

// A mark that is not heard: quotation marks, title brackets.
bool IsSilentMark(char32_t c);

// Of two marks in a row the stronger one is heard: ! and ? over . over … over the comma.
char32_t StrongerMark(char32_t a, char32_t b);

// Seconds of silence after a piece that ends with the mark; 0 for anything else.
double PauseAfter(char32_t phone_mark);

}  // namespace timbre::text
