// Elementwise functions over arrays, vectorised for the CPU at run time. Internal to the room.
#pragma once

#include <cstdint>

#include "nn/precision.h"

namespace timbre::nn {

// y = f(x); y may be x. Absolute error of sigmoid and tanh below 3e-7.
void ActivateInto(Activation activation, float slope, const float* x, std::int64_t n, float* y);
void ExpInto(const float* x, std::int64_t n, float* y);  // relative error below 3e-7; inputs <= 88
float MaxAbsOf(const float* x, std::int64_t n);
float DotOf(const float* a, const float* b, std::int64_t n);

// One LSTM step's elementwise part: gates [4*hidden] are the sums i, f, g, o; c and h [hidden].
void LstmGates(const float* gates, std::int64_t hidden, float* c, float* h);
// One GRU step's: from_x and from_h [3*hidden] are the two sums r, z, n; h [hidden].
void GruGates(const float* from_x, const float* from_h, std::int64_t hidden, float* h);

// Rounding to the types of Precision: to nearest, ties to even. int8 values are value / scale,
// clipped to [-127, 127].
void ToBf16(const float* x, std::int64_t n, std::uint16_t* y);
void ToInt8(const float* x, std::int64_t n, float scale, std::int8_t* y);
// The same numbers kept in f32; y may be x.
void RoundToBf16(const float* x, std::int64_t n, float* y);
void RoundToInt8(const float* x, std::int64_t n, float scale, float* y);

}  // namespace timbre::nn
