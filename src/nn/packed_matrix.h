// A weight matrix stored for products with few rows (a decoder's step), where the time goes into
// reading the weights: 16 outputs side by side, as f32, bf16 or int8 with one scale per output.
// Arithmetic and inputs are f32. Const and thread-safe. Internal to the room.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nn/precision.h"

namespace timbre::nn {

class PackedMatrix {
 public:
  static constexpr std::int64_t kPanel = 16;
  // sums[r][16] = x[r] times the panel, for 1..kMaxRows rows; x rows are `stride` apart.
  static constexpr int kMaxRows = 4;
  using Kernel = void (*)(const void* panel, std::int64_t in, const float* x, std::int64_t stride,
                          int rows, float* sums);

  PackedMatrix() = default;
  // weight [out, in], row-major.
  PackedMatrix(const float* weight, std::int64_t out, std::int64_t in, Precision precision);

  std::int64_t in() const { return in_; }
  std::int64_t out() const { return out_; }
  // y [rows, out] = x [rows, in] W^T, plus bias [out] unless null, plus y itself when `add`.
  void Multiply(const float* x, std::int64_t rows, const float* bias, bool add, float* y) const;
  // The weights as stored, back in f32 [out, in].
  std::vector<float> Unpack() const;

 private:
  void MultiplyPanels(std::int64_t begin, std::int64_t end, const float* x, std::int64_t rows,
                      const float* bias, bool add, float* y) const;

  struct Free {
    void operator()(std::byte* p) const;
  };
  std::int64_t in_ = 0, out_ = 0;
  Precision precision_ = Precision::kF32;
  std::int64_t panel_bytes_ = 0;
  std::unique_ptr<std::byte[], Free> panels_;  // [ceil(out/16)][in][16]
  std::vector<float> scales_;                  // int8: [ceil(out/16)*16]
  Kernel kernel_ = nullptr;
};

// The kernels by CPU level.
PackedMatrix::Kernel BaseKernel(Precision precision);
PackedMatrix::Kernel Avx2Kernel(Precision precision);
PackedMatrix::Kernel Avx512Kernel(Precision precision);

}  // namespace timbre::nn
