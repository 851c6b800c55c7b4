// A dense f32 matrix, row-major: activations are [time, channels] everywhere (oneDNN's nwc with
// n = 1), so that streaming is appending rows. Value type; not thread-safe while written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace timbre::nn {

class Tensor {
 public:
  Tensor() = default;
  Tensor(std::int64_t rows, std::int64_t cols);  // zeros
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor other) noexcept;

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t size() const { return rows_ * cols_; }
  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::span<float> row(std::int64_t i) {
    return {data_.get() + i * cols_, static_cast<std::size_t>(cols_)};
  }
  std::span<const float> row(std::int64_t i) const {
    return {data_.get() + i * cols_, static_cast<std::size_t>(cols_)};
  }
  float& at(std::int64_t r, std::int64_t c) { return data_[r * cols_ + c]; }
  float at(std::int64_t r, std::int64_t c) const { return data_[r * cols_ + c]; }

  // Changes the shape. Keeps the memory when it is large enough; the contents are then unspecified.
  void Reshape(std::int64_t rows, std::int64_t cols);
  // Changes the number of rows, keeping those that remain; new rows are unspecified. Shrinking
  // keeps the memory.
  void ResizeRows(std::int64_t rows);
  // Adds rows at the end (cols must agree, or this is empty); amortised like std::vector.
  void AppendRows(const Tensor& other);
  void AppendRow(std::span<const float> row);
  // Removes rows [0, count).
  void DropFrontRows(std::int64_t count);
  // Copy of rows [begin, end).
  Tensor Rows(std::int64_t begin, std::int64_t end) const;
  void Fill(float value);

 private:
  struct Free {
    void operator()(float* p) const;
  };
  std::unique_ptr<float[], Free> data_;  // 64-byte aligned
  std::int64_t capacity_ = 0;            // in floats
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
};

}  // namespace timbre::nn
