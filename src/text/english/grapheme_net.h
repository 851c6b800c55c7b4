// The net for words that no dictionary has: spelling -> phones. A GRU reads the letters, a second
// GRU writes phones greedily (the sequence-to-sequence model of g2p_en 2.1, checkpoint20.npz).
// Immutable after Load; any number of threads.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace timbre::text {

class GraphemeNet {
 public:
  // Errors: kNotFound "dictionary_missing", kCorrupt "dictionary_broken".
  static Result<GraphemeNet> Load(const std::filesystem::path& path);

  // Phones of a word of lower-case letters; at most 20.
  std::vector<std::string> Predict(std::string_view word) const;

 private:
  struct Cell {
    std::vector<float> input_gates;    // [symbols, 3 * units]: W_ih e(symbol) + b_ih, made at load
    std::vector<float> hidden_weight;  // [3 * units, units]
    std::vector<float> hidden_bias;    // [3 * units]
  };
  void Step(const Cell& cell, int symbol, std::vector<float>* hidden) const;

  Cell encoder_;
  Cell decoder_;
  std::vector<float> output_weight_;  // [phones, units]
  std::vector<float> output_bias_;    // [phones]
};

}  // namespace timbre::text
