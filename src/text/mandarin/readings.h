// From a run of characters to words whose characters have a reading, before tone sandhi.
// Evidence in this order: the user's overrides, our phrases, pypinyin's phrases (a phrase may span
// several words of the cut, never a part of one), rules for characters whose reading depends on
// their neighbours, the character's usual reading. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/mandarin/pinyin_dictionary.h"
#include "text/mandarin/segmenter.h"
#include "text/overrides.h"

namespace timbre::text::mandarin {

struct Token {
  std::u32string characters;
  std::string tag;
  std::vector<std::string> pinyin;  // one per character, "" where no reading is known
  bool fixed = false;               // the user's own reading: nothing may change it
};

// The overrides that are Mandarin (Han characters, one readable syllable each), longest first.
using MandarinOverrides = std::vector<std::pair<std::u32string, std::vector<std::string>>>;
MandarinOverrides SelectMandarin(const Overrides& overrides);

std::vector<Token> ReadRun(std::u32string_view run, const Segmenter& segmenter,
                           const PinyinDictionary& dictionary, const MandarinOverrides& overrides);

// Whether the character is a number word (一 ... 九, 十, 百, 千, 万, 亿, 零, 两, 几, 半).
bool IsNumberCharacter(char32_t c);

}  // namespace timbre::text::mandarin
