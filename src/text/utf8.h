// UTF-8 in and out, and what kind of character a code point is. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace timbre::text {

// True for well-formed UTF-8 (no overlong forms, surrogates, or values above U+10FFFF).
bool IsUtf8(std::string_view text);

// Code points of a text; what is not well formed becomes U+FFFD, one per bad byte.
std::u32string Decode(std::string_view text);

void AppendUtf8(char32_t c, std::string* out);
std::string Encode(std::u32string_view text);

bool IsAsciiLetter(char32_t c);
bool IsAsciiDigit(char32_t c);
bool IsAsciiUpper(char32_t c);
bool IsAsciiLower(char32_t c);
char32_t ToLowerAscii(char32_t c);

// Han ideographs of every plane, and U+3007 (the zero written as a circle).
bool IsHan(char32_t c);
bool IsKana(char32_t c);  // hiragana, katakana, their marks and half-width forms
bool IsHangul(char32_t c);

}  // namespace timbre::text
