// CBHG: a bank of 1-D convolutions, highway layers and a bidirectional GRU (Wang et al. 2017,
// section 3.1; Lee et al. 2017), as Real-Time-Voice-Cloning's synthesizer has it twice: behind the
// text and behind the decoder.
//
// Everything up to the GRU reads 5 rows back and 4 ahead and streams exactly. The backward half of
// the GRU reads to the end: a stream either waits for the end (exact), or starts that half anew
// from zero a fixed number of rows ahead of what it gives out (approximate).
// Const after construction and thread-safe; a State is one utterance's.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/conv1d.h"
#include "nn/linear.h"
#include "nn/ops.h"
#include "nn/recurrent.h"
#include "nn/stream.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

class Cbhg {
 public:
  static constexpr int kWholeSegment = -1;

  struct State {
    nn::Conv1d::State bank, project1, project2;
    nn::Tensor pool_last;   // [1, bank]: the row before the next, once there is one
    nn::RowQueue residual;  // input rows that wait for project2
    nn::Gru::State forward;
    nn::Tensor highway;      // [time, channels]: rows not yet given out
    nn::Tensor forward_out;  // [time, hidden]: of the same rows
  };

  // `inputs` rows in, 2 * hidden rows out; sizes are the checkpoint's own. What does not agree
  // latches an error in `reader`.
  Cbhg(nn::WeightReader reader, std::int64_t inputs, nn::Precision precision);

  std::int64_t outputs() const { return 2 * forward_.hidden(); }

  State Start() const;
  // x [rows, inputs] (any number) -> out [rows, outputs]: with kWholeSegment nothing before
  // `last` and all of it then; else every row that has `future` later rows known.
  void Push(State& state, const nn::Tensor& x, bool last, int future, nn::Tensor& out) const;
  // The whole at once.
  nn::Tensor operator()(const nn::Tensor& x) const;

 private:
  struct Sizes;
  Cbhg(nn::WeightReader reader, const Sizes& sizes, nn::Precision precision);
  void RunHighways(nn::Tensor& x) const;
  void Pool(State& state, const nn::Tensor& x, nn::Tensor& y) const;

  nn::Conv1d bank_;  // all kernel sizes in one, each placed in the widest
  nn::ScaleShift bank_norm_;
  nn::Conv1d project1_;
  nn::ScaleShift project1_norm_;
  nn::Conv1d project2_;                  // batch norm folded in
  std::vector<nn::Linear> pre_highway_;  // one, or none
  std::vector<nn::Linear> highways_;     // W1 and W2 in one: [channels -> 2 * channels]
  nn::Gru forward_, backward_;
};

}  // namespace timbre::models
