#include "text/mandarin/readings.h"

#include <algorithm>
#include <optional>

#include "text/mandarin/polyphones.h"
#include "text/mandarin/syllable.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

constexpr std::size_t kLongestPhrase = 10;

// An override at `begin` holds when it takes whole words, a part of one word (two characters at
// least), or cuts only words that the dictionary does not have.
bool MayTake(const std::vector<CutWord>& words, std::size_t begin, std::size_t length) {
  const std::size_t end = begin + length;
  for (const CutWord& word : words) {
    const std::size_t word_end = word.begin + word.length;
    if (word_end <= begin || word.begin >= end) continue;
    const bool inside = word.begin <= begin && end <= word_end;
    const bool whole = begin <= word.begin && word_end <= end;
    if (whole || !word.listed) continue;
    if (inside && length >= 2) continue;
    return false;
  }
  return true;
}

// Words of the run, with those that the user gave cut out as words of their own.
std::vector<Token> CutWithOverrides(std::u32string_view run, const Segmenter& segmenter,
                                    const MandarinOverrides& overrides) {
  const std::vector<CutWord> words = segmenter.Cut(run);
  std::vector<Token> tokens;
  std::size_t at = 0;
  std::size_t word = 0;
  while (at < run.size()) {
    while (words[word].begin + words[word].length <= at) ++word;
    const auto given = std::find_if(overrides.begin(), overrides.end(), [&](const auto& item) {
      return run.substr(at).starts_with(item.first) && MayTake(words, at, item.first.size());
    });
    if (given != overrides.end()) {
      tokens.push_back({given->first, words[word].tag, given->second, true});
      at += given->first.size();
      continue;
    }
    // The rest of the word, up to the next place where an override may begin inside it.
    std::size_t end = words[word].begin + words[word].length;
    for (std::size_t next = at + 1; next < end; ++next) {
      for (const auto& item : overrides) {
        if (run.substr(next).starts_with(item.first) && MayTake(words, next, item.first.size())) {
          end = next;
        }
      }
    }
    const std::u32string_view characters = run.substr(at, end - at);
    tokens.push_back({std::u32string(characters), words[word].tag,
                      std::vector<std::string>(characters.size()), false});
    at = end;
  }
  return tokens;
}

// Puts the readings of the longest phrase that begins with word `first` and ends with a word.
// Returns how many words it covers, 0 for none.
std::size_t ReadPhraseAt(std::vector<Token>& tokens, std::size_t first, const Segmenter& segmenter,
                         const PinyinDictionary& dictionary) {
  std::u32string text;
  std::size_t covered = 0;
  std::vector<std::string> pinyin;
  for (std::size_t i = first; i < tokens.size() && !tokens[i].fixed; ++i) {
    text += tokens[i].characters;
    if (text.size() > kLongestPhrase) break;
    if (text.size() < 2) continue;
    // 一行, 三行 are decided by what they count.
    if (text.size() == 2 && text[1] == U'行' && IsNumberCharacter(text[0])) continue;
    // Two words that the cut held apart on purpose are no phrase, unless it is ours.
    const bool split_on_purpose = i > first && text.size() <= 3 && segmenter.Knows(text);
    auto found = dictionary.Phrase(text, split_on_purpose);
    if (found.empty()) continue;
    covered = i + 1 - first;
    pinyin = std::move(found);
  }
  std::size_t at = 0;
  for (std::size_t i = first; i < first + covered; ++i) {
    for (std::string& syllable : tokens[i].pinyin) syllable = pinyin[at++];
  }
  return covered;
}

// Phrases inside one word, longest first from the left.
void ReadInside(Token& token, const PinyinDictionary& dictionary) {
  const std::u32string_view word = token.characters;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t length = std::min(word.size() - at, kLongestPhrase);
    for (; length >= 2; --length) {
      if (length == 2 && word[at + 1] == U'行' && IsNumberCharacter(word[at])) continue;
      const auto found = dictionary.Phrase(word.substr(at, length));
      if (found.empty()) continue;
      std::copy(found.begin(), found.end(), token.pinyin.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    }
    at += std::max<std::size_t>(length, 1);
  }
}

}  // namespace

bool IsNumberCharacter(char32_t c) {
  static constexpr std::u32string_view kNumbers = U"零〇一二三四五六七八九十百千万亿两几半幺";
  return c != 0 && kNumbers.find(c) != kNumbers.npos;
}

MandarinOverrides SelectMandarin(const Overrides& overrides) {
  MandarinOverrides selected;
  for (const auto& [word, readings] : overrides) {
    std::u32string characters = Decode(word);
    if (characters.empty() || characters.size() != readings.size()) continue;
    if (!std::all_of(characters.begin(), characters.end(), IsHan)) continue;
    std::vector<std::string> pinyin;
    for (const std::string& reading : readings) {
      if (auto parsed = ParsePinyin(reading)) pinyin.push_back(*std::move(parsed));
    }
    if (pinyin.size() == characters.size()) {
      selected.emplace_back(std::move(characters), std::move(pinyin));
    }
  }
  std::stable_sort(selected.begin(), selected.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  return selected;
}

std::vector<Token> ReadRun(std::u32string_view run, const Segmenter& segmenter,
                           const PinyinDictionary& dictionary, const MandarinOverrides& overrides) {
  std::vector<Token> tokens = CutWithOverrides(run, segmenter, overrides);
  for (std::size_t i = 0; i < tokens.size();) {
    if (tokens[i].fixed) {
      ++i;
      continue;
    }
    const std::size_t covered = ReadPhraseAt(tokens, i, segmenter, dictionary);
    if (covered == 0) ReadInside(tokens[i], dictionary);
    i += std::max<std::size_t>(covered, 1);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t c = 0; c < tokens[i].characters.size(); ++c) {
      std::string& syllable = tokens[i].pinyin[c];
      if (syllable.empty()) syllable = ReadingByContext(tokens, i, c);
      if (syllable.empty()) syllable = dictionary.FirstReading(tokens[i].characters[c]);
    }
  }
  return tokens;
}

}  // namespace timbre::text::mandarin
