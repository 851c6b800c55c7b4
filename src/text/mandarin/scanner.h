// The state of one pass of the normaliser over a text, shared by the files of its rules.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "text/mandarin/numerals.h"

namespace timbre::text::mandarin {

// Each rule looks at the text from `at()`; when it knows what stands there it writes it out, moves
// on and returns true, else it changes nothing.
class Scanner {
 public:
  explicit Scanner(std::u32string_view text) : text_(text) {}
  std::u32string Run();

 private:
  // normaliser.cc
  bool Address();
  bool Money();
  bool NegativeSign();
  bool RangeSign();
  bool Operator();
  bool Symbol();
  bool SpokenNumber();
  bool SerialNumber();

  // calendar_rules.cc: dates, years, times of day
  bool Date();
  bool Time();
  bool Anniversary();
  bool Year(std::size_t digits_end);
  bool YearRange(std::size_t digits_end);
  bool Decade(std::size_t digits_end);
  bool PaddedCount(std::size_t digits_end);

  // code_rules.cc: digits that name something instead of counting
  bool Telephone();
  bool Version();
  bool Chain();
  bool Code(std::size_t digits_end);

  // quantity_rules.cc: numbers with what they count
  bool Fraction();
  bool Ratio();
  bool Quantity();
  bool Superscript();

  // Characters, 0 outside the text.
  char32_t At(std::size_t i) const { return i < text_.size() ? text_[i] : 0; }
  char32_t Before(std::size_t steps = 1) const { return at_ >= steps ? text_[at_ - steps] : 0; }
  std::u32string_view From(std::size_t i) const {
    return i < text_.size() ? text_.substr(i) : std::u32string_view();
  }
  std::u32string_view Slice(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }
  std::size_t DigitsEnd(std::size_t i) const;
  int Value(std::size_t begin, std::size_t end) const;  // of at most 6 digits, else -1
  // Whether one of the words stands in the `reach` characters before the current place, in the
  // same sentence.
  bool Near(std::size_t reach, std::initializer_list<std::u32string_view> words) const;
  bool InEquation(std::size_t i) const;
  // A number with commas and decimals at i; end is where it ends.
  bool ReadWritten(std::size_t i, Number* number, std::size_t* end) const;
  std::size_t SkipSpace(std::size_t i) const { return At(i) == U' ' ? i + 1 : i; }

  void Say(std::u32string_view spoken, std::size_t end) {
    out_ += spoken;
    at_ = end;
    quantity_end_ = end;
  }

  std::u32string_view text_;
  std::u32string out_;
  std::size_t at_ = 0;
  std::size_t quantity_end_ = static_cast<std::size_t>(-1);  // where the last number ended
};

bool IsRangeSign(char32_t c);  // - – — ~ ～ and their relatives

}  // namespace timbre::text::mandarin
