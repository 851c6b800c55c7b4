// y = activation(x W^T + b). Constructed layers are const, thread-safe and meant to be shared.
// One row (a decoder's step) runs our own matrix-vector kernel, many rows run oneDNN.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "nn/precision.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::nn {

struct LinearOptions {
  Activation activation = Activation::kNone;  // on the output
  float slope = 0.01f;                        // of kLeakyRelu
  Precision precision = Precision::kF32;
  std::string name;          // for calibration; may be empty
  float input_range = 0.0f;  // int8: largest |input|, 0 = measured at each call
};

class Linear {
 public:
  // weight [out, in] as PyTorch has it; bias [out], or an empty Weight for none.
  explicit Linear(Weight weight, Weight bias = {}, LinearOptions options = {});
  ~Linear();
  Linear(Linear&&) noexcept;
  Linear& operator=(Linear&&) noexcept;

  std::int64_t inputs() const;
  std::int64_t outputs() const;

  // x [rows, in] -> y [rows, out] (resized). Any number of rows, 0 too. y must not be x.
  void Forward(const Tensor& x, Tensor& y) const;
  Tensor operator()(const Tensor& x) const;
  // One row: x [in] -> y [out]. Allocates nothing.
  void Step(std::span<const float> x, std::span<float> y) const;

  // Prepares for calls with about this many rows, so that the first one is not slower.
  void Warm(std::int64_t rows) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace timbre::nn
