#include "text/english/pronunciation.h"

#include <algorithm>
#include <span>

#include "text/english/lexicon.h"
#include "text/english/scanner.h"
#include "text/marks.h"
#include "text/phone_table.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

constexpr std::size_t kMaxStored = 20000;
constexpr std::size_t kMaxNetLetters = 20;  // the net writes at most 20 phones

struct Token {
  std::string word;  // empty for a mark
  char32_t mark = 0;
};

std::vector<Token> Tokenize(std::string_view normalised, std::vector<std::string>* skipped) {
  std::vector<Token> tokens;
  const std::u32string text = Decode(normalised);
  for (std::size_t at = 0; at < text.size();) {
    std::string word;
    const auto in_word = [&](std::size_t i) {
      return IsAsciiLetter(text[i]) ||
             (text[i] == U'\'' && i + 1 < text.size() && IsAsciiLetter(text[i + 1]));
    };
    while (at < text.size() && in_word(at)) word.push_back(static_cast<char>(text[at++]));
    if (!word.empty()) {
      tokens.push_back({std::move(word), 0});
      continue;
    }
    const char32_t c = text[at++];
    if (const char32_t mark = PhoneMark(c); mark != 0) {
      tokens.push_back({"", mark});
    } else if (c != U' ' && !IsSilentMark(c)) {
      skipped->push_back(Encode(std::u32string_view(&c, 1)));
    }
  }
  return tokens;
}

bool IsPhone(const std::string& name) {
  return !name.empty() && IsAsciiUpper(static_cast<unsigned char>(name[0])) &&
         PhoneId(name).has_value();
}

bool IsRespelling(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return IsAsciiLetter(static_cast<unsigned char>(c)) || c == '\'' || c == ' ' || c == '-';
  });
}

bool HasVowel(std::string_view word) {
  return word.find_first_of("aeiouy") != std::string_view::npos;
}

void Append(PhoneNames tail, PhoneNames* out) {
  out->insert(out->end(), std::make_move_iterator(tail.begin()),
              std::make_move_iterator(tail.end()));
}

}  // namespace

bool IsEnglishReading(const std::vector<std::string>& reading) {
  if (reading.empty()) return false;
  return std::ranges::all_of(reading, IsPhone) || (reading.size() == 1 && IsRespelling(reading[0]));
}

Pronunciation::Pronunciation(PronouncingDictionary dictionary, GraphemeNet net,
                             Homographs homographs)
    : dictionary_(std::move(dictionary)),
      net_(std::move(net)),
      homographs_(std::move(homographs)) {}

std::vector<Word> Pronunciation::Read(std::string_view normalised, const Overrides& overrides,
                                      std::vector<std::string>* skipped) const {
  const std::vector<Token> tokens = Tokenize(normalised, skipped);
  std::vector<std::string> sentence;
  for (const Token& token : tokens) sentence.push_back(token.word);
  std::vector<Word> words;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Word word;
    if (tokens[i].mark != 0) {
      word.text = Encode(std::u32string_view(&tokens[i].mark, 1));
      word.phones = {word.text};
      word.punctuation = true;
    } else {
      word.text = tokens[i].word;
      word.phones = ReadWord(sentence, i, overrides);
    }
    words.push_back(std::move(word));
  }
  return words;
}

PhoneNames Pronunciation::ReadWord(std::span<const std::string> sentence, std::size_t at,
                                   const Overrides& overrides) const {
  const std::string& written = sentence[at];
  const std::string word = LowerAscii(written);
  const auto given = std::ranges::find_if(
      overrides, [&](const auto& item) { return LowerAscii(item.first) == word; });
  if (given != overrides.end() && IsEnglishReading(given->second)) {
    if (std::ranges::all_of(given->second, IsPhone)) return given->second;
    PhoneNames phones;
    std::string part;
    for (const char c : LowerAscii(given->second[0]) + " ") {
      if (c != ' ' && c != '-') {
        part.push_back(c);
      } else if (!part.empty()) {
        const auto known = Known(part, 0);
        Append(known ? *known : Unknown(part), &phones);
        part.clear();
      }
    }
    return phones;
  }
  if (written.size() == 1) {
    return SplitPhones(written == "a" ? std::string_view("AH0") : LetterPhones(word[0]));
  }
  if (const auto chosen = homographs_.Choose(sentence, at)) return SplitPhones(*chosen);
  if (auto known = Known(word, 0)) return *std::move(known);
  return Unknown(word);
}

PhoneNames Pronunciation::Unknown(std::string_view word) const {
  const std::string key(word);
  {
    const std::lock_guard lock(store_->mutex);
    if (const auto found = store_->answers.find(key); found != store_->answers.end()) {
      return found->second;
    }
  }
  std::string letters;
  std::ranges::copy_if(word, std::back_inserter(letters),
                       [](char c) { return c >= 'a' && c <= 'z'; });
  PhoneNames phones;
  if (!HasVowel(letters)) {
    for (const char letter : letters) Append(SplitPhones(LetterPhones(letter)), &phones);
  } else if (auto compound = Compound(letters)) {
    phones = *std::move(compound);
  } else {
    for (std::size_t start = 0; start < letters.size(); start += kMaxNetLetters) {
      const std::string part = letters.substr(start, kMaxNetLetters);
      PhoneNames predicted = net_.Predict(part);
      if (predicted.empty()) {
        for (const char letter : part) Append(SplitPhones(LetterPhones(letter)), &predicted);
      }
      Append(std::move(predicted), &phones);
    }
  }
  const std::lock_guard lock(store_->mutex);
  if (store_->answers.size() >= kMaxStored) store_->answers.clear();
  store_->answers.emplace(key, phones);
  return phones;
}

}  // namespace timbre::text
