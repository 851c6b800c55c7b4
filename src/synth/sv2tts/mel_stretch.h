// Speed for models that cannot choose their own durations: the rows of a log mel are read at
// another pace, with linear interpolation, before the vocoder; the pitch stays. Per-utterance
// state: not thread-safe.
#pragma once

#include <cstdint>

#include "nn/tensor.h"

namespace timbre::synth {

class MelStretch {
 public:
  // Row t of the output is the input at t * speed.
  explicit MelStretch(float speed) : speed_(speed) {}

  // Takes rows [any, bins] and replaces them by the output rows now known; one input row is held
  // back while more may follow. At speed 1 the rows pass unchanged and at once.
  void Apply(nn::Tensor& mel, bool last);

 private:
  double speed_;
  nn::Tensor pending_;         // input rows from `first_` on
  std::int64_t first_ = 0;     // absolute index of pending_'s first row
  std::int64_t produced_ = 0;  // output rows so far
};

}  // namespace timbre::synth
