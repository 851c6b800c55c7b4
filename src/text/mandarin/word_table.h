// A fixed map from word to number, for dictionaries of some hundred thousand words: two flat
// arrays and one block of text, filled in milliseconds. Reading is const and needs no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace timbre::text::mandarin {

class WordTable {
 public:
  explicit WordTable(std::size_t expected_words = 1024);

  // A word that is there already gets the new value. Words over 255 bytes are not taken.
  void Insert(std::string_view word, std::uint32_t value);
  std::optional<std::uint32_t> Find(std::string_view word) const;

  std::size_t size() const { return entries_.size(); }
  std::size_t longest() const { return longest_; }  // bytes

 private:
  struct Entry {
    std::uint32_t at;  // in letters_
    std::uint32_t value;
    std::uint8_t length;
  };
  std::size_t SlotOf(std::string_view word) const;
  void Grow();

  std::string letters_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // 1 + index into entries_, 0 where free; a power of two
  std::size_t longest_ = 0;
};

}  // namespace timbre::text::mandarin
