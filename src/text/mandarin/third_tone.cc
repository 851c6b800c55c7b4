#include <string_view>

#include "text/mandarin/sandhi.h"

namespace timbre::text::mandarin {
namespace {

using Tones = std::vector<std::string*>;  // the syllables of one rhythmic group

bool IsThird(const std::string& pinyin) { return pinyin.ends_with('3'); }
void Raise(std::string* pinyin) { pinyin->back() = '2'; }

// Left to right: a third tone before a third tone rises. 水果好 gives 2 2 3.
void RaiseRun(const Tones& tones, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i + 1 < end; ++i) {
    if (IsThird(*tones[i]) && IsThird(*tones[i + 1])) Raise(tones[i]);
  }
}

// A group of up to three syllables; `head` is the length of its first part.
void RaiseGroup(const Tones& tones, std::size_t head) {
  const bool all =
      tones.size() == 3 && IsThird(*tones[0]) && IsThird(*tones[1]) && IsThird(*tones[2]);
  if (all && head == 1) {
    Raise(tones[1]);  // 买水果: 3 2 3
    return;
  }
  RaiseRun(tones, 0, tones.size());
}

bool IsDoubled(const Token& word) {
  return word.characters.size() == 2 && word.characters[0] == word.characters[1];
}

// Length of the first part of a word of three characters: 蒙古|包 2, 纸|老虎 1.
std::size_t HeadLength(const std::u32string& word, const Segmenter& segmenter) {
  const std::u32string_view view = word;
  return segmenter.Knows(view.substr(1)) && !segmenter.Knows(view.substr(0, 2)) ? 1 : 2;
}

// Words of more than three characters fall into feet of two, the last of three if need be.
void RaiseLongWord(const Tones& tones) {
  std::size_t at = 0;
  while (tones.size() - at > 3) {
    RaiseRun(tones, at, at + 2);
    at += 2;
  }
  RaiseGroup(Tones(tones.begin() + static_cast<std::ptrdiff_t>(at), tones.end()), 1);
}

bool MayJoin(const Token& left, const Token& right, std::size_t length) {
  if (left.fixed || right.fixed || IsDoubled(left) || IsDoubled(right)) return false;
  return length <= 3 && IsThird(left.pinyin.back()) && IsThird(right.pinyin.front());
}

}  // namespace

void ApplyThirdTones(std::vector<Token>* words, const Segmenter& segmenter) {
  for (std::size_t i = 0; i < words->size();) {
    Token& first = (*words)[i];
    std::size_t length = first.characters.size();
    std::size_t end = i + 1;
    while (end < words->size() &&
           MayJoin((*words)[end - 1], (*words)[end], length + (*words)[end].characters.size())) {
      length += (*words)[end++].characters.size();
    }
    Tones tones;
    for (std::size_t w = i; w < end; ++w) {
      for (std::string& syllable : (*words)[w].pinyin) tones.push_back(&syllable);
    }
    if (!first.fixed) {
      const bool one_word = end == i + 1;
      if (length > 3) {
        RaiseLongWord(tones);
      } else {
        RaiseGroup(tones, one_word && length == 3 ? HeadLength(first.characters, segmenter)
                                                  : first.characters.size());
      }
    }
    // A number and the measure word after it are one group however long the number is.
    static constexpr std::string_view kNoMeasure = "rvpcdu";
    const bool counted = end < words->size() && (*words)[end].characters.size() == 1 &&
                         kNoMeasure.find((*words)[end].tag[0]) == kNoMeasure.npos;
    if (counted && !(*words)[end - 1].fixed &&
        IsNumberCharacter((*words)[end - 1].characters.back()) &&
        IsThird((*words)[end].pinyin[0]) && IsThird(*tones.back())) {
      Raise(tones.back());
    }
    i = end;
  }
}

}  // namespace timbre::text::mandarin
