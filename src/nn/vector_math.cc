#include "nn/vector_math.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "nn/cpu.h"
#include "nn/leaky_relu.h"

namespace timbre::nn {
namespace {

// Adding and subtracting 1.5 * 2^23 rounds a float of modest size to the nearest even integer.
constexpr float kRounder = 12582912.0f;

TIMBRE_INLINE_BODY float Exp(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float n = (x * 1.44269504f + kRounder) - kRounder;
  // ln 2 in two parts, so that the remainder is exact.
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.0f / 5040.0f;
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const std::int32_t power = (static_cast<std::int32_t>(n) + 127) << 23;
  return p * std::bit_cast<float>(power);
}

TIMBRE_INLINE_BODY float Sigmoid(float x) { return 1.0f / (1.0f + Exp(-x)); }
TIMBRE_INLINE_BODY float Tanh(float x) { return 1.0f - 2.0f / (1.0f + Exp(2.0f * x)); }

TIMBRE_INLINE_BODY void ReluBody(const float* x, std::int64_t n, float slope, float* y) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = LeakyRelu(x[i], slope);
}
TIMBRE_INLINE_BODY void SigmoidsBody(const float* x, std::int64_t n, float* y) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = Sigmoid(x[i]);
}
TIMBRE_INLINE_BODY void TanhsBody(const float* x, std::int64_t n, float* y) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = Tanh(x[i]);
}
TIMBRE_FOR_EACH_LEVEL(void, Relu, (const float* x, std::int64_t n, float slope, float* y),
                      (x, n, slope, y))
TIMBRE_FOR_EACH_LEVEL(void, Sigmoids, (const float* x, std::int64_t n, float* y), (x, n, y))
TIMBRE_FOR_EACH_LEVEL(void, Tanhs, (const float* x, std::int64_t n, float* y), (x, n, y))

TIMBRE_INLINE_BODY void ExpIntoBody(const float* x, std::int64_t n, float* y) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = Exp(x[i]);
}

TIMBRE_INLINE_BODY float MaxAbsOfBody(const float* x, std::int64_t n) {
  float most = 0.0f;
#pragma omp simd reduction(max : most)
  for (std::int64_t i = 0; i < n; ++i) {
    const float size = x[i] < 0.0f ? -x[i] : x[i];
    most = size > most ? size : most;
  }
  return most;
}

TIMBRE_INLINE_BODY float DotOfBody(const float* a, const float* b, std::int64_t n) {
  float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

TIMBRE_INLINE_BODY void LstmGatesBody(const float* gates, std::int64_t hidden, float* c, float* h) {
  const float *i_gate = gates, *f_gate = gates + hidden, *g_gate = gates + 2 * hidden,
              *o_gate = gates + 3 * hidden;
#pragma omp simd
  for (std::int64_t i = 0; i < hidden; ++i) {
    const float cell = Sigmoid(f_gate[i]) * c[i] + Sigmoid(i_gate[i]) * Tanh(g_gate[i]);
    c[i] = cell;
    h[i] = Sigmoid(o_gate[i]) * Tanh(cell);
  }
}

TIMBRE_INLINE_BODY void GruGatesBody(const float* from_x, const float* from_h, std::int64_t hidden,
                                     float* h) {
  const float *xr = from_x, *xz = from_x + hidden, *xn = from_x + 2 * hidden;
  const float *hr = from_h, *hz = from_h + hidden, *hn = from_h + 2 * hidden;
#pragma omp simd
  for (std::int64_t i = 0; i < hidden; ++i) {
    const float r = Sigmoid(xr[i] + hr[i]);
    const float z = Sigmoid(xz[i] + hz[i]);
    const float n = Tanh(xn[i] + r * hn[i]);
    h[i] = n + z * (h[i] - n);
  }
}

TIMBRE_INLINE_BODY std::uint32_t NearestBf16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  return (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
}
TIMBRE_INLINE_BODY float NearestInt8(float x, float inverse) {
  float value = x * inverse;
  value = value < -127.0f ? -127.0f : value;
  value = value > 127.0f ? 127.0f : value;
  return (value + kRounder) - kRounder;
}

TIMBRE_INLINE_BODY void ToBf16Body(const float* x, std::int64_t n, std::uint16_t* y) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<std::uint16_t>(NearestBf16(x[i]));
}
TIMBRE_INLINE_BODY void ToInt8Body(const float* x, std::int64_t n, float scale, std::int8_t* y) {
  const float inverse = 1.0f / scale;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    y[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(NearestInt8(x[i], inverse)));
  }
}
TIMBRE_INLINE_BODY void RoundToBf16Body(const float* x, std::int64_t n, float* y) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = std::bit_cast<float>(NearestBf16(x[i]) << 16);
}
TIMBRE_INLINE_BODY void RoundToInt8Body(const float* x, std::int64_t n, float scale, float* y) {
  const float inverse = 1.0f / scale;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = NearestInt8(x[i], inverse) * scale;
}

}  // namespace

TIMBRE_FOR_EACH_LEVEL(void, ExpInto, (const float* x, std::int64_t n, float* y), (x, n, y))
TIMBRE_FOR_EACH_LEVEL(float, MaxAbsOf, (const float* x, std::int64_t n), (x, n))
TIMBRE_FOR_EACH_LEVEL(float, DotOf, (const float* a, const float* b, std::int64_t n), (a, b, n))
TIMBRE_FOR_EACH_LEVEL(void, LstmGates,
                      (const float* gates, std::int64_t hidden, float* c, float* h),
                      (gates, hidden, c, h))
TIMBRE_FOR_EACH_LEVEL(void, GruGates,
                      (const float* from_x, const float* from_h, std::int64_t hidden, float* h),
                      (from_x, from_h, hidden, h))
TIMBRE_FOR_EACH_LEVEL(void, ToBf16, (const float* x, std::int64_t n, std::uint16_t* y), (x, n, y))
TIMBRE_FOR_EACH_LEVEL(void, ToInt8, (const float* x, std::int64_t n, float scale, std::int8_t* y),
                      (x, n, scale, y))
TIMBRE_FOR_EACH_LEVEL(void, RoundToBf16, (const float* x, std::int64_t n, float* y), (x, n, y))
TIMBRE_FOR_EACH_LEVEL(void, RoundToInt8, (const float* x, std::int64_t n, float scale, float* y),
                      (x, n, scale, y))

void ActivateInto(Activation activation, float slope, const float* x, std::int64_t n, float* y) {
  switch (activation) {
    case Activation::kNone:
      if (x != y) std::copy_n(x, n, y);
      return;
    case Activation::kRelu:
      return Relu(x, n, 0.0f, y);
    case Activation::kLeakyRelu:
      return Relu(x, n, slope, y);
    case Activation::kTanh:
      return Tanhs(x, n, y);
    case Activation::kSigmoid:
      return Sigmoids(x, n, y);
  }
}

}  // namespace timbre::nn
