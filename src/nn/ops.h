// Small operations between the layers, single-threaded, in f32. Shapes are the caller's promise
// (checked). Pure functions: thread-safe on different data.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "nn/precision.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::nn {

// In place. `slope` is kLeakyRelu's.
void Activate(Activation activation, std::span<float> x, float slope = 0.01f);
void Activate(Activation activation, Tensor& x, float slope = 0.01f);

void Softmax(std::span<float> x);  // in place; -inf entries become 0
void SoftmaxRows(Tensor& x);

// y = (x - mean) / sqrt(var + eps) * gamma + beta over each row; y may be x.
void LayerNorm(const Tensor& x, std::span<const float> gamma, std::span<const float> beta,
               float eps, Tensor& y);

// A batch normalisation at inference, all [channels].
struct BatchNorm {
  Weight weight, bias, running_mean, running_var;
  float eps = 1e-5f;
  // Takes weight, bias, running_mean and running_var below `reader`.
  static BatchNorm Take(WeightReader reader, std::int64_t channels, float eps = 1e-5f);
};
// Folds a batch norm that directly follows a convolution or linear (weight [out, ...]) into it.
// An empty bias becomes [out].
void FoldBatchNorm(const BatchNorm& norm, Weight& weight, Weight& bias);
// The same as y = x * scale + shift per channel, for where an activation stands between.
struct ScaleShift {
  std::vector<float> scale, shift;  // [channels]
  explicit ScaleShift(const BatchNorm& norm);
  void Apply(Tensor& x) const;  // [rows, channels]
};

// table [symbols, width], ids within it -> y [ids, width].
void Embed(const Weight& table, std::span<const std::int32_t> ids, Tensor& y);
// PyTorch's MaxPool1d(2, stride 1, padding 1) cut to x's length: y[t] = max(x[t-1], x[t]).
void MaxPoolPairs(const Tensor& x, Tensor& y);
// Every row `times` times in a row (nearest-neighbour upsampling).
void RepeatRows(const Tensor& x, std::int64_t times, Tensor& y);
// Side by side: [rows, a], [rows, b], … -> [rows, a+b+…].
void ConcatColumns(std::initializer_list<const Tensor*> parts, Tensor& y);

float Dot(std::span<const float> a, std::span<const float> b);
float MaxAbs(std::span<const float> x);
void Axpy(float scale, std::span<const float> x, std::span<float> y);  // y += scale * x
void Add(const Tensor& x, Tensor& y);                                  // y += x
void Multiply(std::span<const float> x, std::span<float> y);           // y *= x
void Scale(float scale, std::span<float> y);                           // y *= scale

}  // namespace timbre::nn
