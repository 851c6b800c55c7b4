// Joining branches of a streamed network whose delays differ. Rows are aligned by their absolute
// number since the start of the stream. Per-utterance state: not thread-safe.
//
// Residual block in a stream, x + f(x), where f ends in a convolution with accumulate:
//   delay.Append(x);                                    // RowQueue
//   first.Push(s1, x, last, t);
//   delay.Take(second.PushRows(s2, t.rows(), last), y);  // the x rows that f's rows belong to
//   second.Push(s2, t, last, y);                        // y += …
// Mean of parallel blocks: StreamSum sum(3); sum.Push(i, block_i rows); sum.Take(1/3.f, y).
#pragma once

#include <cstdint>
#include <vector>

#include "nn/tensor.h"

namespace timbre::nn {

// First in, first out, of rows.
class RowQueue {
 public:
  void Append(const Tensor& rows);
  std::int64_t size() const { return rows_.rows() - front_; }  // rows waiting
  // Moves the first `count` (<= size()) rows into `out` (resized).
  void Take(std::int64_t count, Tensor& out);

 private:
  Tensor rows_;
  std::int64_t front_ = 0;  // rows of rows_ already taken
};

// The sum of several inputs that advance at their own pace.
class StreamSum {
 public:
  explicit StreamSum(std::size_t inputs);
  void Push(std::size_t input, const Tensor& rows);
  // Rows that all inputs have reached, times `scale`, into `out` (resized; 0 rows when none).
  void Take(float scale, Tensor& out);

 private:
  Tensor sum_;                           // rows from the first one not yet taken
  std::vector<std::int64_t> positions_;  // each input's end, relative to sum_'s first row
};

}  // namespace timbre::nn
