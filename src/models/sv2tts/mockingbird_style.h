// MockingBird's global style tokens (Wang et al. 2018, "Style Tokens", as MockingBird speaks with
// them): a style vector that joins every encoder output. Either one token's own value, or all
// tokens weighed by the speaker and by what the reference encoder makes of silence (MockingBird
// always gives it zeros, so that part is a constant of the checkpoint).
// Const after construction and thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

class MockingBirdStyle {
 public:
  static constexpr int kFromSpeaker = -1;

  // Reads what lies below "gst."; what does not agree latches an error in `gst`.
  MockingBirdStyle(nn::WeightReader gst, std::int64_t speaker_size);

  int tokens() const { return static_cast<int>(values_.rows()); }
  std::int64_t size() const { return values_.cols(); }

  // token 0..tokens-1 or kFromSpeaker; speaker [speaker_size] -> [size].
  std::vector<float> Vector(int token, std::span<const float> speaker) const;

 private:
  std::vector<float> reference_;  // [reference]: the encoder's word on silence
  nn::Weight query_;              // [size, reference + speaker]
  nn::Tensor keys_, values_;      // [tokens, size]
  std::int64_t head_size_ = 1;
};

}  // namespace timbre::models
