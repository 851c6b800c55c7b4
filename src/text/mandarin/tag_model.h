// The hidden Markov model that cuts and tags characters no dictionary word covers. Its states pair
// a place in the word (begin, middle, end, single) with a part of speech.
// Source: cppjieba's dict/pos_dict (char_state_tab, prob_start, prob_trans, prob_emit).
// A loaded model is const: any number of threads may use it at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace timbre::text::mandarin {

struct CutWord;

class TagModel {
 public:
  static Result<TagModel> Load(const std::filesystem::path& folder);

  // Words of `characters` (not empty), begins counted from its first. `listed` is left false.
  std::vector<CutWord> Cut(std::u32string_view characters) const;

 private:
  using State = std::uint16_t;
  struct Emission {
    State state;
    double log_probability;
  };
  struct Path {
    State state;
    double score;
    std::size_t from;  // index into the step before
  };
  State StateOf(std::string_view name);  // adds it
  Result<void> ReadTransitions(const std::filesystem::path& path);
  Result<void> ReadStates(const std::filesystem::path& path);
  Result<void> ReadEmissions(const std::filesystem::path& path);
  const std::vector<State>& Candidates(char32_t c) const;
  double Emit(State state, char32_t c) const;
  std::vector<State> Best(std::u32string_view characters) const;

  std::vector<std::string> names_;  // "B,n"
  std::unordered_map<std::string, State> numbers_;
  std::vector<double> start_;              // [state]
  std::vector<std::vector<double>> next_;  // [state][state]
  std::vector<bool> goes_on_;              // has any transition out
  std::vector<State> singles_;             // for characters the model has not seen
  std::unordered_map<char32_t, std::vector<State>> states_;  // allowed for a character
  std::unordered_map<char32_t, std::vector<Emission>> emissions_;
};

}  // namespace timbre::text::mandarin
