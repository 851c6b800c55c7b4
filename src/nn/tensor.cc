#include "nn/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/check.h"

namespace timbre::nn {
namespace {

constexpr std::size_t kAlignment = 64;

float* Allocate(std::int64_t count) {
  return static_cast<float*>(::operator new[](static_cast<std::size_t>(count) * sizeof(float),
                                              std::align_val_t{kAlignment}));
}

}  // namespace

void Tensor::Free::operator()(float* p) const {
  ::operator delete[](p, std::align_val_t{kAlignment});
}

Tensor::Tensor(std::int64_t rows, std::int64_t cols) {
  Reshape(rows, cols);
  Fill(0.0f);
}

Tensor::Tensor(const Tensor& other) {
  Reshape(other.rows_, other.cols_);
  std::copy_n(other.data(), other.size(), data());
}

Tensor::Tensor(Tensor&& other) noexcept
    : data_(std::move(other.data_)),
      capacity_(std::exchange(other.capacity_, 0)),
      rows_(std::exchange(other.rows_, 0)),
      cols_(std::exchange(other.cols_, 0)) {}

Tensor& Tensor::operator=(Tensor other) noexcept {
  data_.swap(other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(rows_, other.rows_);
  std::swap(cols_, other.cols_);
  return *this;
}

void Tensor::Reshape(std::int64_t rows, std::int64_t cols) {
  TIMBRE_CHECK(rows >= 0 && cols >= 0);
  if (rows * cols > capacity_) {
    data_.reset(Allocate(rows * cols));
    capacity_ = rows * cols;
  }
  rows_ = rows;
  cols_ = cols;
}

void Tensor::ResizeRows(std::int64_t rows) {
  TIMBRE_CHECK(rows >= 0);
  const std::int64_t needed = rows * cols_;
  if (needed > capacity_) {
    std::unique_ptr<float[], Free> bigger(Allocate(needed));
    std::copy_n(data_.get(), size(), bigger.get());
    data_ = std::move(bigger);
    capacity_ = needed;
  }
  rows_ = rows;
}

void Tensor::AppendRows(const Tensor& other) {
  if (other.rows_ == 0) return;
  if (rows_ == 0) cols_ = other.cols_;
  TIMBRE_CHECK(cols_ == other.cols_);
  const std::int64_t needed = size() + other.size();
  if (needed > capacity_) {
    const std::int64_t grown = std::max(needed, 2 * capacity_);
    std::unique_ptr<float[], Free> bigger(Allocate(grown));
    std::copy_n(data_.get(), size(), bigger.get());
    data_ = std::move(bigger);
    capacity_ = grown;
  }
  std::copy_n(other.data(), other.size(), data_.get() + size());
  rows_ += other.rows_;
}

void Tensor::AppendRow(std::span<const float> row) {
  Tensor one;
  one.Reshape(1, static_cast<std::int64_t>(row.size()));
  std::copy(row.begin(), row.end(), one.data());
  AppendRows(one);
}

void Tensor::DropFrontRows(std::int64_t count) {
  TIMBRE_CHECK(count >= 0 && count <= rows_);
  if (count == 0) return;
  rows_ -= count;
  std::memmove(data_.get(), data_.get() + count * cols_,
               static_cast<std::size_t>(size()) * sizeof(float));
}

Tensor Tensor::Rows(std::int64_t begin, std::int64_t end) const {
  TIMBRE_CHECK(0 <= begin && begin <= end && end <= rows_);
  Tensor out;
  out.Reshape(end - begin, cols_);
  std::copy_n(data() + begin * cols_, out.size(), out.data());
  return out;
}

void Tensor::Fill(float value) { std::fill_n(data(), size(), value); }

}  // namespace timbre::nn
