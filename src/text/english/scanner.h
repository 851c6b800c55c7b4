// What the normaliser's rules share: a place in the text and the words written so far. A rule is a
// function bool Read...(Scanner&): it either takes text at the place, writes words and answers
// true, or leaves everything as it was. Look-ahead is bounded, so the whole pass is linear.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/english/pronouncing_dictionary.h"

namespace timbre::text {

class Scanner {
 public:
  Scanner(std::u32string_view text, const PronouncingDictionary& dictionary);

  // ---- the text
  bool AtEnd() const { return at_ >= text_.size(); }
  std::size_t at() const { return at_; }
  std::u32string_view text() const { return text_; }
  // The character `offset` places on; 0 outside the text.
  char32_t Peek(std::size_t offset = 0) const { return PeekAt(at_ + offset); }
  char32_t PeekAt(std::size_t place) const { return place < text_.size() ? text_[place] : 0; }
  char32_t Before() const { return at_ > 0 ? text_[at_ - 1] : 0; }
  void Advance(std::size_t characters) { at_ += characters; }
  // The text from the place on starts with this (ASCII, case counts).
  bool LooksAt(std::string_view ascii, std::size_t offset = 0) const;

  // Digits from the place `offset` on, at most `most`; letters likewise.
  std::string Digits(std::size_t offset, std::size_t most = 400) const;
  std::string Letters(std::size_t offset, std::size_t most = 60) const;
  std::size_t SpacesAt(std::size_t offset) const;  // plain spaces, at most 3

  // True when no letter or digit is at `offset`: a word or number ends there.
  bool EndsAt(std::size_t offset) const;

  // The last word written, for rules that look back, and whether a mark or the start of the text
  // stands between it and the place.
  const std::string& last_word() const { return last_word_; }
  bool clause_start() const { return clause_start_; }

  // Nearly all letters are capitals: they mean nothing then.
  bool shouting() const { return shouting_; }

  // ---- the words
  void Say(std::string_view words);  // one or more words, or letters, separated by spaces
  void Mark(char32_t mark);          // a pause or stop, copied as it is
  void Copy(char32_t c);             // any other character, for those who know it
  void Join(std::string_view tail);  // appended to the last word: "'s"

  const PronouncingDictionary& dictionary() const { return dictionary_; }
  std::string TakeOutput() { return std::move(out_); }

 private:
  std::u32string_view text_;
  const PronouncingDictionary& dictionary_;
  std::size_t at_ = 0;
  std::string out_;
  std::string last_word_;
  bool clause_start_ = true;
  bool shouting_ = false;
};

std::string LowerAscii(std::string_view word);

}  // namespace timbre::text
