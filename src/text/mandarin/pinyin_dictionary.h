// The readings of characters and phrases: pypinyin's tables, corrected by ours
// (readings_table.inc). Source: pypinyin 0.55 pinyin_dict.json {"<code point>": "háng,xíng"} and
// phrases_dict.json
// {"银行": [["yín"], ["háng"]]}. Const after loading: any number of threads may use it at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/mandarin/word_table.h"

namespace timbre::text::mandarin {

class PinyinDictionary {
 public:
  static Result<PinyinDictionary> Load(const std::filesystem::path& folder);

  // Readings in our form ("hang2"), the usual one first; empty where none is known.
  std::vector<std::string> Readings(char32_t c) const;
  std::string FirstReading(char32_t c) const;  // "" where none is known

  // One syllable per character; empty when the phrase is not listed. `ours` looks only at our
  // corrections, which hold against every other evidence.
  std::vector<std::string> Phrase(std::u32string_view phrase, bool ours = false) const;

  std::size_t longest_phrase() const { return longest_phrase_; }  // characters
  std::size_t characters() const { return characters_.size(); }
  // Every syllable that occurs, for checks.
  const std::vector<std::string>& syllables() const { return syllables_; }

 private:
  friend struct PinyinDictionaryReader;
  std::uint16_t Number(const std::string& syllable);
  void AddOurs();

  std::vector<std::string> syllables_;
  WordTable syllable_numbers_{2048};
  std::vector<std::uint16_t> readings_;  // characters: count, then that many; phrases: bare
  WordTable characters_{45000};
  WordTable phrases_{50000};
  WordTable ours_{1024};
  std::size_t longest_phrase_ = 0;
};

}  // namespace timbre::text::mandarin
