// Cuts a run of Han characters into words with a part of speech, the way jieba's tagged mode does:
// the most probable path through the dictionary's words; what the dictionary does not know is cut
// by a hidden Markov model over (place in word, part of speech).
// Source: the jieba dictionary and its POS model in cppjieba's dict folder; method as published
// with jieba 0.42 (unigram word lattice, Viterbi). Written anew because the dictionary then loads
// in a tenth of the time and memory, and a damaged file is an error instead of an abort. A loaded
// Segmenter is const: any number of threads may use it at once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/mandarin/tag_model.h"
#include "text/mandarin/word_table.h"

namespace timbre::text::mandarin {

struct CutWord {
  std::size_t begin = 0;   // in characters of the run
  std::size_t length = 0;  // in characters
  std::string tag;         // jieba's, e.g. "n", "v", "ul"; "x" where unknown
  bool listed = false;     // the dictionary has it
};

class Segmenter {
 public:
  // Reads jieba.dict.utf8 and pos_dict/ in the folder.
  static Result<Segmenter> Load(const std::filesystem::path& folder);

  std::vector<CutWord> Cut(std::u32string_view run) const;
  bool Knows(std::u32string_view word) const;

 private:
  struct Entry {
    std::uint32_t count;
    std::uint8_t tag;  // index into tags_
  };
  const Entry* Find(std::string_view word) const;
  std::string TagOf(std::u32string_view word) const;

  WordTable words_{400000};
  std::vector<Entry> entries_;
  std::vector<std::string> tags_;
  double log_total_ = 0.0;
  TagModel model_;
};

}  // namespace timbre::text::mandarin
