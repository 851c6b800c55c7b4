// From WaveRNN's own samples to sound: mu-law, de-emphasis, the seams of batched generation and
// the official ending.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/tensor.h"

namespace timbre::models {

// Inverse mu-law of y in -1..1 with mu = 2^bits - 1: sign(y) / mu * ((1 + mu)^|y| - 1).
float DecodeMuLaw(float y, int bits);

// y[t] = x[t] + 0.97 y[t-1], the inverse of the pre-emphasis before training. One utterance's.
class DeEmphasis {
 public:
  float Next(float x) { return static_cast<float>(last_ = x + 0.97 * last_); }

 private:
  double last_ = 0.0;
};

// Batched generation cuts the sound into overlapping folds that are made side by side, each from
// zero state: fold i covers samples [start(i), start(i) + length), the last one beyond the end.
struct FoldPlan {
  std::int64_t folds = 1;
  std::int64_t target = 0;   // samples of a fold that are its own
  std::int64_t overlap = 0;  // samples shared with each neighbour

  // target and overlap are at least 1.
  static FoldPlan For(std::int64_t samples, std::int64_t target, std::int64_t overlap);
  std::int64_t length() const { return target + 2 * overlap; }
  std::int64_t start(std::int64_t fold) const { return fold * (target + overlap); }
};

enum class Seams {
  // A fold's first half overlap (made from a cold state) is dropped, then the former fold fades
  // out and this one in, with equal power. The sound's own ends stay as they are.
  kSmooth,
  // Real-Time-Voice-Cloning's: the former fold is gone before this one begins, so that every seam
  // dips to silence; the sound's ends fade as well. For comparison.
  kOfficial,
};

// Joins folds [folds, length].
std::vector<float> Unfold(const FoldPlan& plan, nn::Tensor folds, Seams seams);

// What the official code does to an ending: the last hop is cut, and the last 20 hops (a quarter
// of a second) fade out, audibly. For comparison only; shorter sounds fade as far as they go.
void OfficialEnding(std::int64_t hop, std::vector<float>& samples);

}  // namespace timbre::models
