// Cuts the silent frames at the end of Real-Time-Voice-Cloning's and MockingBird's mels, in a
// stream: frames whose every band is below a level wait until a louder one follows, and are
// dropped when the end comes first. A wholly silent segment becomes no frames at all.
// One utterance's state, not thread-safe.
#pragma once

#include "nn/tensor.h"

namespace timbre::models {

class SilenceTrim {
 public:
  explicit SilenceTrim(float level = -3.4F) : level_(level) {}

  // mel [rows, bins] (any number) -> out [rows, bins]: those now known to stay. `last` ends it.
  void Push(const nn::Tensor& mel, bool last, nn::Tensor& out);

 private:
  float level_;
  nn::Tensor waiting_;  // silent so far, [rows, bins]
};

}  // namespace timbre::models
