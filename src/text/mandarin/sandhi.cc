#include "text/mandarin/sandhi.h"

#include <string_view>

namespace timbre::text::mandarin {
namespace {

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

// One character of the run with its neighbours across word borders.
struct Place {
  char32_t c;
  std::string* pinyin;
  std::size_t word;
  std::size_t at;
  bool fixed;
};

std::vector<Place> Flatten(std::vector<Token>* words) {
  std::vector<Place> places;
  for (std::size_t w = 0; w < words->size(); ++w) {
    Token& word = (*words)[w];
    for (std::size_t i = 0; i < word.characters.size(); ++i) {
      places.push_back({word.characters[i], &word.pinyin[i], w, i, word.fixed});
    }
  }
  return places;
}

char ToneOf(const std::string& pinyin) { return pinyin.empty() ? '5' : pinyin.back(); }

constexpr std::u32string_view kDigits = U"零〇一二三四五六七八九";
constexpr std::u32string_view kPowers = U"百千万亿";

// Whether 一 at `i` is counted or ordinal and keeps its first tone.
bool IsPlainYi(const std::vector<Place>& places, std::size_t i, const Token& word) {
  const auto at = [&](std::size_t k) { return k < places.size() ? places[k].c : char32_t{0}; };
  const char32_t before = i > 0 ? places[i - 1].c : 0;
  const char32_t after = at(i + 1);
  if (after == 0) return true;
  if (In(before, U"第初")) return true;
  if (before == U'点' && i >= 2 && IsNumberCharacter(places[i - 2].c) && !In(after, kPowers)) {
    return true;
  }
  if (In(before, kDigits) || before == U'十') return true;
  if (In(after, kDigits)) return true;
  if (In(after, kPowers)) return false;
  if (IsNumberCharacter(before) && before != U'半' && before != U'几') return true;
  if (In(after, U"月号楼级流")) return true;
  if (after == U'日' && before == U'月') return true;
  const bool last = places[i].at + 1 == word.characters.size() && places[i].at > 0;
  return last && !In(before, U"这那每某哪另任同有进");
}

}  // namespace

void ApplyBuAndYi(std::vector<Token>* words) {
  const std::vector<Place> places = Flatten(words);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    if (place.fixed || (place.c != U'不' && place.c != U'一')) continue;
    const Token& word = (*words)[place.word];
    const bool has_next = i + 1 < places.size();
    const char next_tone = has_next ? ToneOf(*places[i + 1].pinyin) : '1';
    const bool doubled = i > 0 && has_next && places[i - 1].c == places[i + 1].c;
    const bool in_middle = word.characters.size() == 3 && place.at == 1;
    if (place.c == U'不') {
      if (in_middle || doubled || *place.pinyin == "bu5") {
        *place.pinyin = "bu5";
      } else {
        *place.pinyin = has_next && next_tone == '4' ? "bu2" : "bu4";
      }
    } else if (doubled && !IsNumberCharacter(places[i - 1].c)) {
      *place.pinyin = "yi5";
    } else if (IsPlainYi(places, i, word)) {
      *place.pinyin = "yi1";
    } else {
      *place.pinyin = next_tone == '4' || places[i + 1].c == U'个' ? "yi2" : "yi4";
    }
  }
}

void ApplySandhi(std::vector<Token>* words, const Segmenter& segmenter) {
  ApplyBuAndYi(words);
  ApplyNeutralTones(words);
  ApplyThirdTones(words, segmenter);
}

}  // namespace timbre::text::mandarin
