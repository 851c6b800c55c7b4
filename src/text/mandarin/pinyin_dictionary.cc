#include "text/mandarin/pinyin_dictionary.h"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "text/mandarin/dictionary_file.h"
#include "text/mandarin/readings_table.h"
#include "text/mandarin/syllable.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {

// Takes either table's events; a string belongs to the last key at its depth of arrays.
struct PinyinDictionaryReader : nlohmann::json_sax<nlohmann::json> {
  PinyinDictionaryReader(PinyinDictionary* target, bool phrases)
      : out(target), is_phrases(phrases) {}

  PinyinDictionary* out;
  bool is_phrases;
  int objects = 0;
  int arrays = 0;
  bool taken = false;  // the first reading of this character of the phrase is there
  std::string word;
  std::vector<std::uint16_t> found;
  WordTable marked{2048};  // tone-marked spelling -> number + 1, 0 unreadable

  // The number of a spelling with tone marks; -1 when no phones spell it.
  int NumberOf(std::string_view written) {
    if (const auto known = marked.Find(written)) return static_cast<int>(*known) - 1;
    const auto parsed = ParsePinyin(written);
    const int number = parsed ? out->Number(*parsed) : -1;
    marked.Insert(written, static_cast<std::uint32_t>(number + 1));
    return number;
  }

  void AddCharacter(std::string_view list) {
    std::uint32_t point = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), point);
    if (error != std::errc() || end != word.data() + word.size() || point > 0x10FFFF) return;
    found.clear();
    while (!list.empty()) {
      const std::string_view item = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), item.size() + 1));
      if (const int number = NumberOf(item); number >= 0) {
        found.push_back(static_cast<std::uint16_t>(number));
      }
    }
    if (found.empty()) return;
    std::string letter;
    AppendUtf8(point, &letter);
    out->characters_.Insert(letter, static_cast<std::uint32_t>(out->readings_.size()));
    out->readings_.push_back(static_cast<std::uint16_t>(found.size()));
    out->readings_.insert(out->readings_.end(), found.begin(), found.end());
  }

  void AddPhrase() {
    const std::size_t length = Decode(word).size();
    if (found.size() != length || length == 0) return;
    out->phrases_.Insert(word, static_cast<std::uint32_t>(out->readings_.size()));
    out->readings_.insert(out->readings_.end(), found.begin(), found.end());
    out->longest_phrase_ = std::max(out->longest_phrase_, length);
  }

  bool start_object(std::size_t) override { return ++objects == 1 && arrays == 0; }
  bool end_object() override { return true; }
  bool key(string_t& name) override {
    word = name;
    found.clear();
    return true;
  }
  bool string(string_t& value) override {
    if (!is_phrases) {
      if (arrays != 0) return false;
      AddCharacter(value);
      return true;
    }
    if (arrays != 2) return false;
    if (taken) return true;
    taken = true;
    if (const int number = NumberOf(value); number >= 0) {
      found.push_back(static_cast<std::uint16_t>(number));
    }
    return true;
  }
  bool start_array(std::size_t) override {
    taken = false;
    return ++arrays <= 2 && objects == 1 && is_phrases;
  }
  bool end_array() override {
    if (--arrays == 0) AddPhrase();
    return true;
  }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool number_unsigned(number_unsigned_t) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }
};

Result<PinyinDictionary> PinyinDictionary::Load(const std::filesystem::path& folder) {
  PinyinDictionary dictionary;
  dictionary.readings_.reserve(300000);
  for (const bool phrases : {false, true}) {
    const std::filesystem::path path =
        folder / (phrases ? "phrases_dict.json" : "pinyin_dict.json");
    TIMBRE_ASSIGN(const std::string content, ReadDictionary(path));
    PinyinDictionaryReader reader(&dictionary, phrases);
    const std::size_t added = phrases ? dictionary.phrases_.size() : dictionary.characters_.size();
    if (!nlohmann::json::sax_parse(content, &reader)) {
      return BrokenDictionary(path, "is not the JSON it should be");
    }
    if ((phrases ? dictionary.phrases_.size() : dictionary.characters_.size()) == added) {
      return BrokenDictionary(path, "has no readings");
    }
  }
  dictionary.AddOurs();
  return dictionary;
}

std::uint16_t PinyinDictionary::Number(const std::string& syllable) {
  if (const auto known = syllable_numbers_.Find(syllable))
    return static_cast<std::uint16_t>(*known);
  const auto number = static_cast<std::uint16_t>(syllables_.size());
  syllable_numbers_.Insert(syllable, number);
  syllables_.push_back(syllable);
  return number;
}

void PinyinDictionary::AddOurs() {
  for (const auto& [word, pinyin] : kOurReadings) {
    const auto at = static_cast<std::uint32_t>(readings_.size());
    const std::size_t length = Decode(word).size();
    if (length == 1) readings_.push_back(1);
    std::size_t count = 0;
    for (std::string_view rest = pinyin; !rest.empty(); ++count) {
      const std::string syllable(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(std::min(rest.size(), syllable.size() + 1));
      TIMBRE_CHECK(SpellSyllable(syllable));
      readings_.push_back(Number(syllable));
    }
    TIMBRE_CHECK(count == length);
    (length == 1 ? characters_ : ours_).Insert(word, at);
    longest_phrase_ = std::max(longest_phrase_, length);
  }
}

std::vector<std::string> PinyinDictionary::Readings(char32_t c) const {
  std::vector<std::string> readings;
  std::string letter;
  AppendUtf8(c, &letter);
  const auto at = characters_.Find(letter);
  if (!at) return readings;
  for (std::size_t i = 1; i <= readings_[*at]; ++i) {
    readings.push_back(syllables_[readings_[*at + i]]);
  }
  return readings;
}

std::string PinyinDictionary::FirstReading(char32_t c) const {
  std::string letter;
  AppendUtf8(c, &letter);
  const auto at = characters_.Find(letter);
  return at ? syllables_[readings_[*at + 1]] : std::string();
}

std::vector<std::string> PinyinDictionary::Phrase(std::u32string_view phrase, bool ours) const {
  std::vector<std::string> pinyin;
  if (phrase.size() > longest_phrase_) return pinyin;
  const std::string word = Encode(phrase);
  auto at = ours_.Find(word);
  if (!at && !ours) at = phrases_.Find(word);
  if (!at) return pinyin;
  for (std::size_t i = 0; i < phrase.size(); ++i) pinyin.push_back(syllables_[readings_[*at + i]]);
  return pinyin;
}

}  // namespace timbre::text::mandarin
