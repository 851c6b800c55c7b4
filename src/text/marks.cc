#include "text/marks.h"

namespace timbre::text {
namespace {

bool In(std::u32string_view set, char32_t c) { return set.find(c) != std::u32string_view::npos; }

int Strength(char32_t mark) {
  switch (mark) {
    case U'!':
    case U'?':
      return 5;
    case U'.':
      return 4;
    case U'…':
      return 3;
    case U',':
      return 2;
    case U'-':
      return 1;
    default:
      return 0;
  }
}

}  // namespace

char32_t PhoneMark(char32_t c) {
  if (In(U",;:，、；：()（）[]［］{}｛｝【】〔〕〖〗|｜—–―─━‒﹣︱⸺‐‑・﹐﹑﹔﹕", c)) return U',';
  if (In(U".。．｡\n", c)) return U'.';
  if (In(U"!！︕﹗‼", c)) return U'!';
  if (In(U"?？︖﹖⁉⁇", c)) return U'?';
  if (In(U"…⋯~～〜", c)) return U'…';
  return c == U'-' ? U'-' : 0;
}

bool IsSilentMark(char32_t c) { return In(U"\"'“”‘’„‟«»‹›「」『』《》〈〉﹁﹂﹃﹄＂＇·•‧¿¡′″", c); }

char32_t StrongerMark(char32_t a, char32_t b) { return Strength(b) > Strength(a) ? b : a; }

double PauseAfter(char32_t phone_mark) {
  switch (phone_mark) {
    case U'!':
    case U'?':
    case U'.':
      return 0.4;
    case U'…':
      return 0.5;
    case U',':
    case U'-':
      return 0.15;
    default:
      return 0.0;
  }
}

}  // namespace timbre::text
