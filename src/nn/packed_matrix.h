// A weight matrix stored for our own kernels: 16 outputs side by side, as f32, bf16 or int8 with
// one scale per output. Arithmetic and inputs are f32. Serves products with few rows (a decoder's
// step), where the time goes into reading the weights, and, on CPUs with AVX2 at most, convolutions
// and products of any size. Every output row is summed in the same order whatever the number of
// rows. Const and thread-safe. Internal to the room.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nn/precision.h"

namespace timbre::nn {

// Where the rows of the left factor lie: row r is the `taps` pieces of `width` floats at
// x + r * row_stride + j * tap_stride. A plain matrix has one tap; a convolution's row t reads the
// input rows t, t + dilation, …
struct MatrixRows {
  const float* x = nullptr;
  std::int64_t width = 0;
  std::int64_t taps = 1;
  std::int64_t row_stride = 0;
  std::int64_t tap_stride = 0;
  // Sums in the same order whatever the number of rows: equal to the bit when a stream computes
  // the same row in another company. A little slower for 1 to 3 rows.
  bool in_order = false;
};

// y = leaky_relu(sum + bias), or y += …
struct MatrixEnd {
  const float* bias = nullptr;  // [out] or null
  bool add = false;
  float slope = 1.0f;  // of the leaky ReLU: 0 is ReLU, 1 is nothing
};

// Activations that MatrixEnd covers, kNone among them, and their slope there.
bool IsRectifier(Activation activation);
float SlopeOf(Activation activation, float slope);

class PackedMatrix {
 public:
  static constexpr std::int64_t kPanel = 16;
  // sums[r][16] = row r times the panel [taps*width][16], for 1..kMaxRows rows.
  static constexpr int kMaxRows = 6;
  using Kernel = void (*)(const void* panel, const MatrixRows& from, int rows, float* sums);

  PackedMatrix() = default;
  // weight [out, in], row-major, in = taps*width.
  PackedMatrix(const float* weight, std::int64_t out, std::int64_t in, Precision precision);

  std::int64_t in() const { return in_; }
  std::int64_t out() const { return out_; }
  // y [rows, out] = rows W^T.
  void Multiply(const MatrixRows& from, std::int64_t rows, const MatrixEnd& end, float* y) const;
  // The weights as stored, back in f32 [out, in].
  std::vector<float> Unpack() const;

 private:
  void MultiplyPanels(std::int64_t first, std::int64_t last, const MatrixRows& from,
                      std::int64_t rows, const MatrixEnd& end, float* y) const;
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
