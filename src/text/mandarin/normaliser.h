// Numbers, dates, times, money, units, telephone numbers, addresses and signs of a Mandarin text
// written out as they are spoken. One pass from left to right with bounded look-around; no
// regular expressions. Pure.
#pragma once

#include <string>
#include <string_view>

namespace timbre::text::mandarin {

// `text` is simplified and tidy (script.h). Letters stay, apart from units and addresses.
std::u32string WriteOut(std::u32string_view text);

}  // namespace timbre::text::mandarin
