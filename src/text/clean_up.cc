#include "text/clean_up.h"

#include <algorithm>

#include "text/utf8.h"

namespace timbre::text {
namespace {

bool Between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Zero-width characters, direction marks, variation selectors, tags, controls.
bool IsInvisible(char32_t c) {
  if (c < 0x20) return c != U'\n' && c != U'\t';
  return Between(c, 0x7F, 0x9F) || c == 0xAD || c == 0x34F || c == 0x61C || c == 0x180E ||
         Between(c, 0x200B, 0x200F) || Between(c, 0x202A, 0x202E) || Between(c, 0x2060, 0x206F) ||
         c == 0x3164 || Between(c, 0xFE00, 0xFE0F) || c == 0xFEFF || Between(c, 0xFFF9, 0xFFFB) ||
         Between(c, 0xE0000, 0xE01EF);
}

bool IsSpace(char32_t c) {
  return c == U'\t' || c == 0xA0 || c == 0x1680 || Between(c, 0x2000, 0x200A) || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

std::u32string_view RomanNumeral(char32_t c) {
  static constexpr std::u32string_view kRoman[] = {U"I",   U"II",   U"III", U"IV", U"V",  U"VI",
                                                   U"VII", U"VIII", U"IX",  U"X",  U"XI", U"XII"};
  if (Between(c, 0x2160, 0x216B)) return kRoman[c - 0x2160];
  if (Between(c, 0x2170, 0x217B)) return kRoman[c - 0x2170];
  return {};
}

std::u32string_view Ligature(char32_t c) {
  static constexpr std::u32string_view kLigatures[] = {U"ff",  U"fi", U"fl", U"ffi",
                                                       U"ffl", U"st", U"st"};
  return Between(c, 0xFB00, 0xFB06) ? kLigatures[c - 0xFB00] : std::u32string_view();
}

// One character in its plain form.
char32_t Plain(char32_t c) {
  if (IsSpace(c)) return U' ';
  // Full-width digits, letters and signs; punctuation keeps its width, which tells the language.
  static constexpr std::u32string_view kWideSigns = U"＃＄％＆＋－／＜＝＞＠＿";
  if (Between(c, 0xFF10, 0xFF19) || Between(c, 0xFF21, 0xFF3A) || Between(c, 0xFF41, 0xFF5A) ||
      kWideSigns.find(c) != std::u32string_view::npos) {
    return c - 0xFEE0;
  }
  // Letters and digits in the styles of mathematics, which social media use as decoration.
  if (Between(c, 0x1D400, 0x1D6A3)) {
    const char32_t place = (c - 0x1D400) % 52;
    return place < 26 ? U'A' + place : U'a' + (place - 26);
  }
  if (Between(c, 0x1D7CE, 0x1D7FF)) return U'0' + (c - 0x1D7CE) % 10;
  if (Between(c, 0x24B6, 0x24CF)) return U'A' + (c - 0x24B6);
  if (Between(c, 0x24D0, 0x24E9)) return U'a' + (c - 0x24D0);
  switch (c) {
    case 0x2010:
    case 0x2011:
    case 0xFE63:
      return U'-';
    case 0x2012:
      return U'–';
    case 0x2015:
    case 0x2500:
    case 0x2501:
    case 0x2E3A:
    case 0x2E3B:
    case 0xFE31:
    case 0xFE58:
      return U'—';
    case 0xFFE5:
      return U'￥';
    case 0xFFE1:
      return U'£';
    case 0x2028:
    case 0x2029:
    case 0x85:
      return U'\n';
    default:
      return c;
  }
}

std::u32string Trimmed(std::u32string_view line) {
  while (!line.empty() && line.front() == U' ') line.remove_prefix(1);
  while (!line.empty() && line.back() == U' ') line.remove_suffix(1);
  return std::u32string(line);
}

}  // namespace

std::vector<std::u32string> CleanUp(std::string_view text) {
  std::vector<std::u32string> lines;
  std::u32string line;
  const auto end_line = [&] {
    std::u32string plain = WithoutMarkdown(line);
    if (!plain.empty()) lines.push_back(std::move(plain));
    line.clear();
  };
  const std::u32string decoded = Decode(text);
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    char32_t c = decoded[i];
    // A carriage return alone is a line break of old systems.
    if (c == U'\r' && (i + 1 == decoded.size() || decoded[i + 1] != U'\n')) c = U'\n';
    if (c == 0x0B || c == 0x0C || c == 0x85) c = U'\n';
    if (IsInvisible(c)) continue;
    if (const auto roman = RomanNumeral(c); !roman.empty()) {
      line.append(roman);
      continue;
    }
    if (const auto ligature = Ligature(c); !ligature.empty()) {
      line.append(ligature);
      continue;
    }
    c = Plain(c);
    if (c == U'\n') {
      end_line();
    } else if (c != U' ' || line.empty() || line.back() != U' ') {
      line.push_back(c);
    }
  }
  end_line();
  for (std::u32string& each : lines) each = Trimmed(each);
  std::erase_if(lines, [](const std::u32string& each) { return each.empty(); });
  return lines;
}

}  // namespace timbre::text
