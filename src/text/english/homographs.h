// Words of one spelling and two readings (record, read, live), told apart by the words around them.
// The pairs come from g2p_en's homographs.en ("WORD|when it is a verb|else|V"); the choice is made
// by simple rules instead of a tagger. Immutable after Load; any number of threads.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace timbre::text {

class Homographs {
 public:
  // Errors: kNotFound "dictionary_missing", kCorrupt "dictionary_broken".
  static Result<Homographs> Load(const std::filesystem::path& path);

  // The phones of sentence[at], or nothing when the word has one reading only. The sentence is in
  // words as written, a mark being an empty string.
  std::optional<std::string_view> Choose(std::span<const std::string> sentence,
                                         std::size_t at) const;

 private:
  struct Readings {
    std::string verb;
    std::string other;
    bool verb_first = true;  // the first reading belongs to verbs; else it is the usual one
  };
  std::map<std::string, Readings, std::less<>> readings_;
};

}  // namespace timbre::text
