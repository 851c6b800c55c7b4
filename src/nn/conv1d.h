// 1-D convolution (cross-correlation, stride 1) over [time, channels], whole or in a stream of
// chunks of any sizes. Constructed layers are const, thread-safe and meant to be shared; a stream's
// history lives in a State (one per utterance, not thread-safe).
//
// A stream gives exactly the rows that the whole would: a row comes out as soon as all its inputs
// have come in, zeros stand only before the true start and after the true end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nn/precision.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::nn {

struct Conv1dOptions {
  std::int64_t dilation = 1;
  // Zero rows before and after; -1 = "same" output length: (k-1)*d in all, the smaller half in
  // front. PyTorch's padding=k//2 with even k is {k/2, k/2}, giving one row more.
  std::int64_t padding_left = -1;
  std::int64_t padding_right = -1;
  std::int64_t groups = 1;
  Activation input_activation = Activation::kNone;  // on the input, at no cost of a copy
  float input_slope = 0.1f;                         // of kLeakyRelu on the input
  Activation activation = Activation::kNone;        // on the output
  float slope = 0.1f;                               // of kLeakyRelu on the output
  // y += activation(conv(x)) instead of y = …: y must then have the output's shape beforehand.
  bool accumulate = false;
  Precision precision = Precision::kF32;
  std::string name;          // for calibration; may be empty
  float input_range = 0.0f;  // int8: largest |input| (after input_activation), 0 = at each call
};

class Conv1d {
 public:
  class State {
   public:
    State() = default;

   private:
    friend class Conv1d;
    Tensor rows_;  // padded input rows that later outputs still need
    bool started_ = false;
    bool ended_ = false;
  };

  // weight [out, in / groups, k] as PyTorch has it; bias [out], or an empty Weight for none.
  explicit Conv1d(Weight weight, Weight bias = {}, Conv1dOptions options = {});
  ~Conv1d();
  Conv1d(Conv1d&&) noexcept;
  Conv1d& operator=(Conv1d&&) noexcept;

  std::int64_t inputs() const;   // channels
  std::int64_t outputs() const;  // channels
  // Rows that an output row waits for beyond its own: (k-1)*d - padding_left.
  std::int64_t lookahead() const;
  // Output rows for `rows` input rows as a whole: rows + padding - (k-1)*d, at least 0.
  std::int64_t OutputRows(std::int64_t rows) const;

  // Whole: x [rows, in] -> y [OutputRows(rows), out] (resized, or added to with accumulate).
  // y must not be x.
  void Forward(const Tensor& x, Tensor& y) const;
  Tensor operator()(const Tensor& x) const;  // not with accumulate

  // Stream: appends x [any rows, 0 too; in]; y becomes the output rows that are now computable
  // (resized; with accumulate it must have PushRows(…) rows and is added to). `last` ends the
  // stream; nothing may be pushed after it.
  void Push(State& state, const Tensor& x, bool last, Tensor& y) const;
  // How many rows the next Push of that many rows would give.
  std::int64_t PushRows(const State& state, std::int64_t rows, bool last) const;

  // Prepares for calls with this many output rows, so that the first one is not slower.
  void Warm(std::int64_t rows) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace timbre::nn
