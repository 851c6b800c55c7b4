#include <immintrin.h>

#include "nn/cpu.h"
#include "nn/packed_matrix.h"

namespace timbre::nn {
namespace {

#define TIMBRE_AVX2_INLINE TIMBRE_TARGET_AVX2 __attribute__((always_inline)) static inline

// Sixteen weights as two vectors of f32.
struct F32 {
  static constexpr int kBytes = 4;
  TIMBRE_AVX2_INLINE void Load(const std::byte* p, __m256& low, __m256& high) {
    low = _mm256_load_ps(reinterpret_cast<const float*>(p));
    high = _mm256_load_ps(reinterpret_cast<const float*>(p) + 8);
  }
};
struct Bf16 {
  static constexpr int kBytes = 2;
  TIMBRE_AVX2_INLINE void Load(const std::byte* p, __m256& low, __m256& high) {
    const auto* halves = reinterpret_cast<const __m128i*>(p);
    low = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_load_si128(halves)), 16));
    high = _mm256_castsi256_ps(
        _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_load_si128(halves + 1)), 16));
  }
};
struct Int8 {
  static constexpr int kBytes = 1;
  TIMBRE_AVX2_INLINE void Load(const std::byte* p, __m256& low, __m256& high) {
    low = _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
    high = _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + 8))));
  }
};

// `Rows` rows times `Steps` steps along k, so that enough accumulators hide the latency of FMA. All
// loops over them unroll; sixteen registers hold twelve sums, the weights and one value.
template <typename Type, int Rows, int Steps>
TIMBRE_TARGET_AVX2 void Sum(const std::byte* w, const MatrixRows& from, float* sums) {
  __m256 low[Rows][Steps], high[Rows][Steps];
#pragma GCC unroll 6
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
    for (int s = 0; s < Steps; ++s) low[r][s] = high[r][s] = _mm256_setzero_ps();
  }
  constexpr std::int64_t kStepBytes = PackedMatrix::kPanel * Type::kBytes;
  const std::int64_t stride = from.row_stride;
  for (std::int64_t j = 0; j < from.taps; ++j) {
    const float* x = from.x + j * from.tap_stride;
    const float* const end = x + from.width;
    for (; x + Steps <= end; x += Steps, w += Steps * kStepBytes) {
#pragma GCC unroll 4
      for (int s = 0; s < Steps; ++s) {
        __m256 w_low, w_high;
        Type::Load(w + s * kStepBytes, w_low, w_high);
#pragma GCC unroll 6
        for (int r = 0; r < Rows; ++r) {
          const __m256 value = _mm256_broadcast_ss(x + r * stride + s);
          low[r][s] = _mm256_fmadd_ps(value, w_low, low[r][s]);
          high[r][s] = _mm256_fmadd_ps(value, w_high, high[r][s]);
        }
      }
    }
    for (; x < end; ++x, w += kStepBytes) {
      __m256 w_low, w_high;
      Type::Load(w, w_low, w_high);
#pragma GCC unroll 6
      for (int r = 0; r < Rows; ++r) {
        const __m256 value = _mm256_broadcast_ss(x + r * stride);
        low[r][0] = _mm256_fmadd_ps(value, w_low, low[r][0]);
        high[r][0] = _mm256_fmadd_ps(value, w_high, high[r][0]);
      }
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
    for (int s = 1; s < Steps; ++s) {
      low[r][0] = _mm256_add_ps(low[r][0], low[r][s]);
      high[r][0] = _mm256_add_ps(high[r][0], high[r][s]);
    }
    _mm256_store_ps(sums + r * PackedMatrix::kPanel, low[r][0]);
    _mm256_store_ps(sums + r * PackedMatrix::kPanel + 8, high[r][0]);
  }
}

template <typename Type>
void SumRows(const void* panel, const MatrixRows& from, int rows, float* sums) {
  const auto* w = static_cast<const std::byte*>(panel);
  switch (rows) {
    case 1:
      return from.in_order ? Sum<Type, 1, 1>(w, from, sums) : Sum<Type, 1, 4>(w, from, sums);
    case 2:
      return from.in_order ? Sum<Type, 2, 1>(w, from, sums) : Sum<Type, 2, 2>(w, from, sums);
    case 3:
      return from.in_order ? Sum<Type, 3, 1>(w, from, sums) : Sum<Type, 3, 2>(w, from, sums);
    case 4:
      return Sum<Type, 4, 1>(w, from, sums);
    case 5:
      return Sum<Type, 5, 1>(w, from, sums);
    default:
      return Sum<Type, 6, 1>(w, from, sums);
  }
}

}  // namespace

PackedMatrix::Kernel Avx2Kernel(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return SumRows<Bf16>;
    case Precision::kInt8:
      return SumRows<Int8>;
    default:
      return SumRows<F32>;
  }
}

}  // namespace timbre::nn
