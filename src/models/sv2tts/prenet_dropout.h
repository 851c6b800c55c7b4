// The dropout of a Tacotron prenet, which stays on when speaking (Shen et al. 2018, section 2.2):
// the decoders were trained to lean on it. A value per utterance, not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/random.h"
#include "nn/tensor.h"

namespace timbre::models {

class PrenetDropout {
 public:
  // Probability 0.5 by a seeded random stream: the same seed drops the same units.
  static PrenetDropout Seeded(std::uint64_t seed, std::uint64_t stream = 0);
  static PrenetDropout Off();
  // Given masks, one row [units] of 0 (drop) or 1 (keep) for each Apply in turn.
  static PrenetDropout KeepMasks(nn::Tensor keep);

  // Drops units of one row in place; kept ones are doubled (left alone by Off).
  void Apply(std::span<float> row);
  void Apply(nn::Tensor& rows);  // row by row

 private:
  enum class Mode { kSeeded, kOff, kGiven };
  PrenetDropout(Mode mode, nn::Random random) : mode_(mode), random_(random) {}

  Mode mode_;
  nn::Random random_;
  nn::Tensor keep_;  // [rows, units]
  std::int64_t next_ = 0;
  std::vector<float> mask_;
};

}  // namespace timbre::models
