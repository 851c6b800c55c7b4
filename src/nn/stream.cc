#include "nn/stream.h"

#include <algorithm>

#include "base/check.h"

namespace timbre::nn {

void RowQueue::Append(const Tensor& rows) {
  if (rows.rows() == 0) return;
  if (front_ > 0) {
    rows_.DropFrontRows(front_);
    front_ = 0;
  }
  rows_.AppendRows(rows);
}

void RowQueue::Take(std::int64_t count, Tensor& out) {
  TIMBRE_CHECK(count >= 0 && count <= size());
  out.Reshape(count, rows_.cols());
  std::copy_n(rows_.data() + front_ * rows_.cols(), out.size(), out.data());
  front_ += count;
}

StreamSum::StreamSum(std::size_t inputs) : positions_(inputs, 0) {}

void StreamSum::Push(std::size_t input, const Tensor& rows) {
  std::int64_t& position = positions_.at(input);
  const std::int64_t end = position + rows.rows();
  if (sum_.cols() == 0) sum_.Reshape(0, rows.cols());
  if (rows.rows() == 0) return;
  TIMBRE_CHECK(rows.cols() == sum_.cols());
  // Rows that another input has reached before are added to; the others are this input's alone.
  const std::int64_t known = std::clamp(sum_.rows() - position, std::int64_t{0}, rows.rows());
  if (end > sum_.rows()) sum_.ResizeRows(end);
  float* to = sum_.data() + position * sum_.cols();
  const std::int64_t shared = known * sum_.cols();
  for (std::int64_t i = 0; i < shared; ++i) to[i] += rows.data()[i];
  std::copy(rows.data() + shared, rows.data() + rows.size(), to + shared);
  position = end;
}

void StreamSum::Take(float scale, Tensor& out) {
  const std::int64_t ready = *std::min_element(positions_.begin(), positions_.end());
  out.Reshape(ready, sum_.cols());
  for (std::int64_t i = 0; i < out.size(); ++i) out.data()[i] = sum_.data()[i] * scale;
  sum_.DropFrontRows(ready);
  for (std::int64_t& position : positions_) position -= ready;
}

}  // namespace timbre::nn
