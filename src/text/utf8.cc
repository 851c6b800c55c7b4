#include "text/utf8.h"

#include <cstddef>

namespace timbre::text {
namespace {

// Length and value of the character at `at`; length 0 when it is not well formed.
struct Step {
  std::size_t length;
  char32_t value;
};

Step ReadOne(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  std::size_t length = 0;
  char32_t value = 0;
  char32_t smallest = 0;
  if ((lead & 0xE0) == 0xC0) {
    length = 2, value = lead & 0x1F, smallest = 0x80;
  } else if ((lead & 0xF0) == 0xE0) {
    length = 3, value = lead & 0x0F, smallest = 0x800;
  } else if ((lead & 0xF8) == 0xF0) {
    length = 4, value = lead & 0x07, smallest = 0x10000;
  } else {
    return {0, 0};
  }
  if (text.size() - at < length) return {0, 0};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < smallest || value > 0x10FFFF || surrogate) return {0, 0};
  return {length, value};
}

bool Between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

}  // namespace

bool IsUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Step step = ReadOne(text, at);
    if (step.length == 0) return false;
    at += step.length;
  }
  return true;
}

std::u32string Decode(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Step step = ReadOne(text, at);
    out.push_back(step.length == 0 ? U'\uFFFD' : step.value);
    at += step.length == 0 ? 1 : step.length;
  }
  return out;
}

void AppendUtf8(char32_t c, std::string* out) {
  const auto put = [out](char32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

std::string Encode(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t c : text) AppendUtf8(c, &out);
  return out;
}

bool IsAsciiUpper(char32_t c) { return Between(c, U'A', U'Z'); }
bool IsAsciiLower(char32_t c) { return Between(c, U'a', U'z'); }
bool IsAsciiLetter(char32_t c) { return IsAsciiUpper(c) || IsAsciiLower(c); }
bool IsAsciiDigit(char32_t c) { return Between(c, U'0', U'9'); }
char32_t ToLowerAscii(char32_t c) { return IsAsciiUpper(c) ? c + 32 : c; }

bool IsHan(char32_t c) {
  return Between(c, 0x4E00, 0x9FFF) || Between(c, 0x3400, 0x4DBF) || c == 0x3007 ||
         Between(c, 0xF900, 0xFAFF) || Between(c, 0x20000, 0x323AF) || Between(c, 0x2E80, 0x2FDF);
}

bool IsKana(char32_t c) {
  return Between(c, 0x3041, 0x309F) || Between(c, 0x30A0, 0x30FF) || Between(c, 0x31F0, 0x31FF) ||
         Between(c, 0xFF66, 0xFF9D);
}

bool IsHangul(char32_t c) {
  return Between(c, 0xAC00, 0xD7A3) || Between(c, 0x1100, 0x11FF) || Between(c, 0x3130, 0x318F);
}

}  // namespace timbre::text
