#include "text/mandarin/word_table.h"

#include <algorithm>
#include <bit>

namespace timbre::text::mandarin {
namespace {

std::uint64_t Hash(std::string_view word) {  // FNV-1a, its upper half folded in
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash ^ hash >> 32;
}

}  // namespace

WordTable::WordTable(std::size_t expected_words) {
  entries_.reserve(expected_words);
  slots_.resize(std::bit_ceil(expected_words * 2 + 16));
}

// The slot that holds the word, or the free one where it belongs.
std::size_t WordTable::SlotOf(std::string_view word) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = Hash(word) & mask;
  while (slots_[slot] != 0) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (std::string_view(letters_).substr(entry.at, entry.length) == word) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void WordTable::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    slots_[SlotOf(std::string_view(letters_).substr(entry.at, entry.length))] =
        static_cast<std::uint32_t>(i + 1);
  }
}

void WordTable::Insert(std::string_view word, std::uint32_t value) {
  if (word.empty() || word.size() > 255) return;
  std::size_t slot = SlotOf(word);
  if (slots_[slot] != 0) {
    entries_[slots_[slot] - 1].value = value;
    return;
  }
  if ((entries_.size() + 1) * 2 > slots_.size()) {
    Grow();
    slot = SlotOf(word);
  }
  entries_.push_back(
      {static_cast<std::uint32_t>(letters_.size()), value, static_cast<std::uint8_t>(word.size())});
  letters_.append(word);
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  longest_ = std::max(longest_, word.size());
}

std::optional<std::uint32_t> WordTable::Find(std::string_view word) const {
  if (word.size() > longest_) return std::nullopt;
  const std::uint32_t index = slots_[SlotOf(word)];
  if (index == 0) return std::nullopt;
  return entries_[index - 1].value;
}

}  // namespace timbre::text::mandarin
