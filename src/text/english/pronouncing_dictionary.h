// CMUdict: word -> ARPAbet phones with stress digits. The file stays mapped; an index of one number
// per word is built in one pass (about ten milliseconds). Immutable: any number of threads.
// Source: the CMU Pronouncing Dictionary, "word PH ON1 ES # comment", variants as "word(2)".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"

namespace timbre::text {

class PronouncingDictionary {
 public:
  // Errors: kNotFound "dictionary_missing", kCorrupt "dictionary_broken".
  static Result<PronouncingDictionary> Load(const std::filesystem::path& path);

  // The first reading, "R EH1 D", of a word in lower case.
  std::optional<std::string_view> Find(std::string_view word) const;

  std::size_t size() const { return words_; }

 private:
  explicit PronouncingDictionary(MappedFile file) : file_(std::move(file)) {}
  std::string_view text() const;
  std::size_t Slot(std::string_view word) const;

  MappedFile file_;
  std::vector<std::uint32_t> slots_;  // place of a word's line + 1; open addressing, 0 is free
  std::size_t words_ = 0;
};

// Phones of "R EH1 D" one by one.
std::vector<std::string> SplitPhones(std::string_view phones);

}  // namespace timbre::text
