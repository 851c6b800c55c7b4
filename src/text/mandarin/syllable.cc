#include "text/mandarin/syllable.h"

#include <array>
#include <utility>

#include "text/phone_table.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

struct Marked {
  char32_t c;
  std::string_view base;
  char tone;  // 0: none
};
constexpr Marked kMarked[] = {
    {U'ā', "a", '1'},     {U'á', "a", '2'},     {U'ǎ', "a", '3'},     {U'à', "a", '4'},
    {U'ē', "e", '1'},     {U'é', "e", '2'},     {U'ě', "e", '3'},     {U'è', "e", '4'},
    {U'ī', "i", '1'},     {U'í', "i", '2'},     {U'ǐ', "i", '3'},     {U'ì', "i", '4'},
    {U'ō', "o", '1'},     {U'ó', "o", '2'},     {U'ǒ', "o", '3'},     {U'ò', "o", '4'},
    {U'ū', "u", '1'},     {U'ú', "u", '2'},     {U'ǔ', "u", '3'},     {U'ù', "u", '4'},
    {U'ǖ', "v", '1'},     {U'ǘ', "v", '2'},     {U'ǚ', "v", '3'},     {U'ǜ', "v", '4'},
    {U'ń', "n", '2'},     {U'ň', "n", '3'},     {U'ǹ', "n", '4'},     {U'ḿ', "m", '2'},
    {U'ế', "ê", '2'},     {U'ề', "ê", '4'},     {U'ü', "v", 0},       {U'Ü', "v", 0},
    {U'ê', "ê", 0},       {U'\u0304', "", '1'}, {U'\u0301', "", '2'}, {U'\u030C', "", '3'},
    {U'\u0300', "", '4'},
};

constexpr std::string_view kInitials[] = {"zh", "ch", "sh", "b", "p", "m", "f", "d",
                                          "t",  "n",  "l",  "g", "k", "h", "j", "q",
                                          "x",  "r",  "z",  "c", "s", "y", "w"};

using Spelling = std::pair<std::string_view, std::string_view>;  // final in pinyin, final phone
constexpr Spelling kAfterY[] = {{"e", "E"},   {"an", "En"},   {"u", "v"},
                                {"ue", "ve"}, {"uan", "van"}, {"un", "vn"}};
constexpr Spelling kAfterPalatal[] = {{"u", "v"}, {"ue", "ve"}, {"uan", "van"}, {"un", "vn"}};
constexpr Spelling kAfterRetroflex[] = {{"i", "ir"}};
constexpr Spelling kAfterSibilant[] = {{"i", "i0"}};
constexpr Spelling kAfterNL[] = {{"ue", "ve"}};

template <std::size_t n>
std::string_view Respell(std::string_view final, const Spelling (&table)[n]) {
  for (const auto& [written, phone] : table) {
    if (written == final) return phone;
  }
  return final;
}

std::string_view FinalPhone(std::string_view initial, std::string_view final) {
  if (initial == "y") return Respell(final, kAfterY);
  if (initial == "j" || initial == "q" || initial == "x") return Respell(final, kAfterPalatal);
  if (initial == "zh" || initial == "ch" || initial == "sh" || initial == "r") {
    return Respell(final, kAfterRetroflex);
  }
  if (initial == "z" || initial == "c" || initial == "s") return Respell(final, kAfterSibilant);
  if (initial == "n" || initial == "l") return Respell(final, kAfterNL);
  return final;
}

// Initial and final phone, without the tone, of a syllable without a consonant before its vowel.
SyllablePhones WithoutInitial(std::string_view syllable) {
  if (syllable == "n") return {"EE", "en"};
  if (syllable == "ng") return {"EE", "eng"};
  if (syllable == "m") return {"m", "u"};
  if (syllable == "hm") return {"h", "en"};
  if (syllable == "hng") return {"h", "eng"};
  if (syllable == "ê") return {"EE", "E"};
  if (syllable.starts_with('a')) return {"AA", std::string(syllable)};
  if (syllable.starts_with('e')) return {"EE", std::string(syllable)};
  if (syllable.starts_with('o')) return {"OO", std::string(syllable)};
  return {};
}

}  // namespace

std::optional<SyllablePhones> SpellSyllable(std::string_view pinyin) {
  if (pinyin.size() < 2) return std::nullopt;
  const char tone = pinyin.back();
  if (tone < '1' || tone > '5') return std::nullopt;
  const std::string_view syllable = pinyin.substr(0, pinyin.size() - 1);
  SyllablePhones phones = WithoutInitial(syllable);
  for (std::size_t i = 0; phones.initial.empty() && i < std::size(kInitials); ++i) {
    const std::string_view initial = kInitials[i];
    if (!syllable.starts_with(initial) || syllable.size() == initial.size()) continue;
    phones.initial = initial;
    phones.final = FinalPhone(initial, syllable.substr(initial.size()));
  }
  if (phones.initial.empty()) return std::nullopt;
  phones.final.push_back(tone);
  if (!PhoneId(phones.initial) || !PhoneId(phones.final)) return std::nullopt;
  return phones;
}

std::optional<std::string> ParsePinyin(std::string_view written) {
  std::string letters;
  char tone = 0;
  for (const char32_t c : Decode(written)) {
    if (c >= U'0' && c <= U'5') {
      if (tone != 0) return std::nullopt;
      tone = c == U'0' ? '5' : static_cast<char>(c);
      continue;
    }
    if (c == U':' && letters.ends_with('u')) {
      letters.back() = 'v';
      continue;
    }
    if (IsAsciiLetter(c)) {
      AppendUtf8(ToLowerAscii(c), &letters);
      continue;
    }
    bool known = false;
    for (const Marked& mark : kMarked) {
      if (mark.c != c) continue;
      known = true;
      letters += mark.base;
      if (mark.tone == 0) continue;
      if (tone != 0) return std::nullopt;
      tone = mark.tone;
    }
    if (!known) return std::nullopt;
  }
  letters.push_back(tone == 0 ? '5' : tone);
  if (!SpellSyllable(letters)) return std::nullopt;
  return letters;
}

}  // namespace timbre::text::mandarin
