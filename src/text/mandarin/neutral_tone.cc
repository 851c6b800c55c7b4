#include <algorithm>
#include <span>
#include <string_view>

#include "text/mandarin/sandhi.h"

namespace timbre::text::mandarin {
namespace {

#include "text/mandarin/neutral_words.inc"

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

bool Listed(std::u32string_view word, std::span<const std::u32string_view> list) {
  return std::binary_search(list.begin(), list.end(), word);
}

// Whether the word or its last two or three characters are listed.
bool EndListed(std::u32string_view word, std::span<const std::u32string_view> list) {
  for (std::size_t length : {word.size(), std::size_t{3}, std::size_t{2}}) {
    if (length <= word.size() && Listed(word.substr(word.size() - length), list)) return true;
  }
  return false;
}

void Neutralise(std::string* pinyin) {
  if (!pinyin->empty()) pinyin->back() = '5';
}

// Before 过 these make a verb of motion or a fixed word: 走过, 经过; after others it is a particle.
constexpr std::u32string_view kFullBeforeGuo = U"走跑飞跳越超胜渡经通路错度难绕穿掠擦";

// Whether the last syllable of a word of two characters or more loses its tone.
bool LastIsNeutral(const Token& word) {
  const std::u32string_view text = word.characters;
  const char32_t last = text.back();
  const char32_t before = text[text.size() - 2];
  const char tag = word.tag.empty() ? 'x' : word.tag[0];
  if (EndListed(text, kNeutralWords)) return true;
  if (last == U'子') return (tag == 'n' || tag == 'r' || tag == 'q') && !EndListed(text, kFullZi);
  if (last == U'们') return true;
  if (In(last, U"上下里"))
    return In(static_cast<char32_t>(tag), U"slf") && !EndListed(text, kFullPlaces);
  if (In(last, U"来去")) return tag == 'v' && In(before, U"上下进出回过起开");
  if (last == U'过') return tag == 'v' && !In(before, kFullBeforeGuo);
  if (last == U'个') return IsNumberCharacter(before) || In(before, U"这那哪每有多各整");
  return false;
}

// 看看, 妈妈: the second of two equal characters.
void NeutraliseDoubles(Token* word) {
  const bool spoken_so =
      word->tag.starts_with('v') || (word->tag.starts_with('n') && !word->tag.starts_with("nr") &&
                                     !word->tag.starts_with("nz") && !word->tag.starts_with("ns"));
  if (!spoken_so || Listed(word->characters, kFullDoubles)) return;
  for (std::size_t i = 1; i < word->characters.size(); ++i) {
    const bool pair = i % 2 == 1 && word->characters[i] == word->characters[i - 1] &&
                      word->pinyin[i] == word->pinyin[i - 1];
    if (!pair) continue;
    if (EndListed(std::u32string_view(word->characters).substr(0, i + 1), kFullDoubles)) continue;
    const bool verb_of_third = word->tag.starts_with('v') && word->pinyin[i - 1].ends_with('3');
    if (verb_of_third) word->pinyin[i - 1].back() = '2';  // 想想: xiang2 xiang5
    Neutralise(&word->pinyin[i]);
  }
}

// 儿 that is no syllable of its own: always short and toneless.
void ColourEr(std::vector<Token>& words, std::size_t index) {
  Token& word = words[index];
  for (std::size_t i = 0; i < word.characters.size(); ++i) {
    if (word.characters[i] != U'儿') continue;
    const std::u32string_view up_to_here = std::u32string_view(word.characters).substr(0, i + 1);
    const bool last = i + 1 == word.characters.size();
    if (i == 0) {
      // Cut off from what it belongs to: 小院|儿, 小院|儿里.
      const bool part_of_next = word.tag.starts_with('n') && word.characters.size() > 1;
      if (index > 0 && !part_of_next) word.pinyin[i] = "er5";
    } else if (last && !EndListed(up_to_here, kFullEr)) {
      word.pinyin[i] = "er5";
    }
  }
}

// Words of one character that lean on the word before.
void NeutraliseSingle(std::vector<Token>& words, std::size_t index) {
  Token& word = words[index];
  const Token& before = words[index - 1];
  switch (word.characters[0]) {
    case U'个':
      Neutralise(&word.pinyin[0]);
      break;
    case U'上':
    case U'里':
      if (before.tag.starts_with('n')) Neutralise(&word.pinyin[0]);
      break;
    case U'过':
      if (before.tag.starts_with('v') && !In(before.characters.back(), kFullBeforeGuo)) {
        Neutralise(&word.pinyin[0]);
      }
      break;
    case U'哈':
      if (index + 1 == words.size()) Neutralise(&word.pinyin[0]);
      break;
    default:
      break;
  }
}

}  // namespace

void ApplyNeutralTones(std::vector<Token>* words) {
  for (std::size_t i = 0; i < words->size(); ++i) {
    Token& word = (*words)[i];
    if (word.fixed) continue;
    if (word.characters.size() >= 2) {
      if (LastIsNeutral(word)) {
        Neutralise(&word.pinyin.back());
      } else if (EndListed(word.characters, kFullZi)) {
        word.pinyin.back() = "zi3";
      }
      NeutraliseDoubles(&word);
    } else if (i > 0) {
      NeutraliseSingle(*words, i);
    }
    ColourEr(*words, i);
  }
}

}  // namespace timbre::text::mandarin
