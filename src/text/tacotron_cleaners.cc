// Keith Ito's English cleaners as Real-Time-Voice-Cloning and NVIDIA Tacotron 2 use them: models
// trained with them expect exactly these spellings, odd ones too ("misess", "psfive").
#include <algorithm>
#include <array>
#include <cstddef>

#include "text/tacotron_numbers.h"
#include "text/tacotron_symbols.h"
#include "text/transliteration.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }
bool IsWordCharacter(char c) { return IsDigit(c) || IsLetter(c) || c == '_'; }
bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F); }

std::string ToLowerAsciiText(std::string_view text, const HanSpelling& han) {
  std::string out;
  for (const char32_t c : Decode(text)) {
    if (IsHan(c)) {
      const std::string spelling = han ? han(c) : std::string();
      if (!spelling.empty()) out += spelling + " ";
    } else if (const auto ascii = AsciiOf(c)) {
      out += *ascii;
    }
  }
  std::ranges::transform(out, out.begin(), [](char c) {
    return static_cast<char>(ToLowerAscii(static_cast<unsigned char>(c)));
  });
  return out;
}

// The end of the longest run of digits and `more` from `at` on that ends with a digit; `at` if
// none.
std::size_t RunEnd(std::string_view text, std::size_t at, std::string_view more) {
  std::size_t end = at;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      end = i + 1;
    } else if (more.find(text[i]) == std::string_view::npos) {
      break;
    }
  }
  return end;
}

// "1,234" -> "1234"
std::string WithoutNumberCommas(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = IsDigit(text[at]) ? RunEnd(text, at, ",") : at + 1;
    for (std::size_t i = at; i < end; ++i) {
      if (end - at < 3 || text[i] != ',') out.push_back(text[i]);
    }
    at = end;
  }
  return out;
}

std::string DollarWords(std::string_view amount) {
  const std::size_t point = amount.find('.');
  if (point != std::string_view::npos && amount.find('.', point + 1) != std::string_view::npos) {
    return std::string(amount) + " dollars";
  }
  const std::string dollars = WithoutZeros(amount.substr(0, point));
  const std::string cents =
      point == std::string_view::npos ? "0" : WithoutZeros(amount.substr(point + 1));
  const std::string dollar_words = dollars + (dollars == "1" ? " dollar" : " dollars");
  const std::string cent_words = cents + (cents == "1" ? " cent" : " cents");
  if (dollars != "0" && cents != "0") return dollar_words + ", " + cent_words;
  if (dollars != "0") return dollar_words;
  return cents != "0" ? cent_words : "zero dollars";
}

std::string WithDollars(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '$' ? RunEnd(text, at + 1, ".,") : 0;
    if (end > at + 1) {
      out += DollarWords(text.substr(at + 1, end - at - 1));
      at = end;
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

// "2.5" -> "2 point 5"
std::string WithPoints(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      out.push_back(text[at++]);
      continue;
    }
    const std::size_t whole = RunEnd(text, at, "");
    const bool decimal = whole + 1 < text.size() && text[whole] == '.' && IsDigit(text[whole + 1]);
    const std::size_t end = decimal ? RunEnd(text, whole + 1, "") : whole;
    out.append(text.substr(at, whole - at));
    if (decimal) out.append(" point ").append(text.substr(whole + 1, end - whole - 1));
    at = end;
  }
  return out;
}

std::string WithNumberWords(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      out.push_back(text[at++]);
      continue;
    }
    const std::size_t end = RunEnd(text, at, "");
    const std::string_view digits = text.substr(at, end - at);
    const std::string_view suffix = text.substr(end, 2);
    const bool ordinal = suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th";
    out += ordinal ? TacotronOrdinal(digits) : TacotronNumber(digits);
    at = end + (ordinal ? 2 : 0);
  }
  return out;
}

std::string WithoutAbbreviations(std::string_view text) {
  struct Abbreviation {
    std::string_view written;
    std::string_view said;
  };
  static constexpr auto kAbbreviations = std::to_array<Abbreviation>({
      {"mrs", "misess"},
      {"mr", "mister"},
      {"dr", "doctor"},
      {"st", "saint"},
      {"co", "company"},
      {"jr", "junior"},
      {"maj", "major"},
      {"gen", "general"},
      {"drs", "doctors"},
      {"rev", "reverend"},
      {"lt", "lieutenant"},
      {"hon", "honorable"},
      {"sgt", "sergeant"},
      {"capt", "captain"},
      {"esq", "esquire"},
      {"ltd", "limited"},
      {"col", "colonel"},
      {"ft", "fort"},
  });
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordCharacter(text[end])) ++end;
    if (end == at) {
      out.push_back(text[at++]);
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    const auto* found = std::ranges::find(kAbbreviations, word, &Abbreviation::written);
    const bool dot = end < text.size() && text[end] == '.';
    if (dot && found != kAbbreviations.end()) {
      out.append(found->said);
      ++end;
    } else {
      out.append(word);
    }
    at = end;
  }
  return out;
}

}  // namespace

std::string CollapseSpaces(std::string_view text) {
  std::string out;
  bool space = false;
  for (const char c : text) {
    if (!IsSpace(c)) {
      out.push_back(c);
    } else if (!space) {
      out.push_back(' ');
    }
    space = IsSpace(c);
  }
  return out;
}

std::string CleanEnglish(std::string_view text, const HanSpelling& han) {
  std::string clean = ToLowerAsciiText(text, han);
  clean = WithPoints(WithDollars(WithoutNumberCommas(clean)));
  return CollapseSpaces(WithoutAbbreviations(WithNumberWords(clean)));
}

}  // namespace timbre::text
