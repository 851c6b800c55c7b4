// Web addresses, e-mail addresses and file names: where one stands in a text, and how it is read
// aloud in Mandarin ("www.example.cn/help" -> W W W 点 example 点 C N 斜杠 help). Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace timbre::text::mandarin {

// Characters of the address at the head of `text`, 0 where none begins. Full stops and the like at
// its end belong to the sentence.
std::size_t AddressLength(std::u32string_view text);

// The address spoken: words stay in letters, short codes are spelled in capitals, digits become
// Mandarin, signs their names; parts are set apart by spaces. A scheme ("https://") is not spoken.
std::u32string ReadAddress(std::u32string_view address);

}  // namespace timbre::text::mandarin
