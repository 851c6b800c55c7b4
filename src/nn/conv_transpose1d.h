// Transposed 1-D convolution (upsampling by `stride`) over [time, channels], whole or in a stream.
// Contracts as in nn/conv1d.h; every output row is computed once.
//
// Computed as a plain convolution with stride*out output channels: row t of it is the rows
// [t*stride, (t+1)*stride) of the result, whose first `padding` rows are dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nn/conv1d.h"
#include "nn/precision.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::nn {

struct ConvTranspose1dOptions {
  std::int64_t stride = 1;
  std::int64_t padding = 0;         // as PyTorch's: rows cut at both ends
  std::int64_t output_padding = 0;  // as PyTorch's: rows added at the end
  Activation input_activation = Activation::kNone;
  float input_slope = 0.1f;
  Precision precision = Precision::kF32;
  std::string name;          // for calibration; may be empty
  float input_range = 0.0f;  // int8: largest |input| (after input_activation), 0 = at each call
};

class ConvTranspose1d {
 public:
  class State {
   public:
    State() = default;

   private:
    friend class ConvTranspose1d;
    Conv1d::State conv_;
    std::int64_t inputs_ = 0;   // rows in so far
    std::int64_t outputs_ = 0;  // rows out so far
    std::int64_t dropped_ = 0;  // of the leading `padding` rows
    Tensor held_;               // rows that may still turn out to be beyond the end
  };

  // weight [in, out, k] as PyTorch has it; bias [out], or an empty Weight for none.
  explicit ConvTranspose1d(Weight weight, Weight bias = {}, ConvTranspose1dOptions options = {});

  std::int64_t inputs() const { return conv_.inputs(); }
  std::int64_t outputs() const { return outputs_; }
  // (rows-1)*stride - 2*padding + k + output_padding, at least 0; 0 for no rows.
  std::int64_t OutputRows(std::int64_t rows) const;

  void Forward(const Tensor& x, Tensor& y) const;  // [rows, in] -> [OutputRows(rows), out]
  Tensor operator()(const Tensor& x) const;
  // After n rows in all, the first n*stride - padding rows are out (never more than
  // OutputRows(n)); with `last` all are.
  void Push(State& state, const Tensor& x, bool last, Tensor& y) const;

  // Prepares for calls with this many input rows.
  void Warm(std::int64_t rows) const;

 private:
  std::int64_t outputs_ = 0;  // channels
  std::int64_t kernel_ = 0;
  std::int64_t stride_ = 1;
  std::int64_t padding_ = 0;
  std::int64_t output_padding_ = 0;
  Conv1d conv_;
};

}  // namespace timbre::nn
