// GCC 12 warns about the deliberately undefined operands within its own AVX-512 intrinsics.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "nn/cpu.h"
#include "nn/packed_matrix.h"

namespace timbre::nn {
namespace {

#define TIMBRE_AVX512_INLINE TIMBRE_TARGET_AVX512 __attribute__((always_inline)) static inline

// Sixteen weights as one vector of f32.
struct F32 {
  static constexpr int kBytes = 4;
  TIMBRE_AVX512_INLINE __m512 Load(const std::byte* p) { return _mm512_load_ps(p); }
};
struct Bf16 {
  static constexpr int kBytes = 2;
  TIMBRE_AVX512_INLINE __m512 Load(const std::byte* p) {
    const __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
};
struct Int8 {
  static constexpr int kBytes = 1;
  TIMBRE_AVX512_INLINE __m512 Load(const std::byte* p) {
    const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i*>(p));
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
  }
};

// `Rows` rows times `Steps` steps along k, so that enough accumulators hide the latency of FMA. All
// loops over them unroll.
template <typename Type, int Rows, int Steps>
TIMBRE_TARGET_AVX512 void Sum(const std::byte* w, const MatrixRows& from, float* sums) {
  __m512 sum[Rows][Steps];
#pragma GCC unroll 6
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int s = 0; s < Steps; ++s) sum[r][s] = _mm512_setzero_ps();
  }
  constexpr std::int64_t kStepBytes = PackedMatrix::kPanel * Type::kBytes;
  const std::int64_t stride = from.row_stride;
  for (std::int64_t j = 0; j < from.taps; ++j) {
    const float* x = from.x + j * from.tap_stride;
    const float* const end = x + from.width;
    for (; x + Steps <= end; x += Steps, w += Steps * kStepBytes) {
#pragma GCC unroll 8
      for (int s = 0; s < Steps; ++s) {
        const __m512 weights = Type::Load(w + s * kStepBytes);
#pragma GCC unroll 6
        for (int r = 0; r < Rows; ++r) {
          sum[r][s] = _mm512_fmadd_ps(_mm512_set1_ps(x[r * stride + s]), weights, sum[r][s]);
        }
      }
    }
    for (; x < end; ++x, w += kStepBytes) {
      const __m512 weights = Type::Load(w);
#pragma GCC unroll 6
      for (int r = 0; r < Rows; ++r) {
        sum[r][0] = _mm512_fmadd_ps(_mm512_set1_ps(x[r * stride]), weights, sum[r][0]);
      }
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int s = 1; s < Steps; ++s) sum[r][0] = _mm512_add_ps(sum[r][0], sum[r][s]);
    _mm512_store_ps(sums + r * PackedMatrix::kPanel, sum[r][0]);
  }
}

template <typename Type>
void SumRows(const void* panel, const MatrixRows& from, int rows, float* sums) {
  const auto* w = static_cast<const std::byte*>(panel);
  switch (rows) {
    case 1:
      return from.in_order ? Sum<Type, 1, 2>(w, from, sums) : Sum<Type, 1, 8>(w, from, sums);
    case 2:
      return from.in_order ? Sum<Type, 2, 2>(w, from, sums) : Sum<Type, 2, 4>(w, from, sums);
    case 3:
      return from.in_order ? Sum<Type, 3, 2>(w, from, sums) : Sum<Type, 3, 4>(w, from, sums);
    case 4:
      return Sum<Type, 4, 2>(w, from, sums);
    case 5:
      return Sum<Type, 5, 2>(w, from, sums);
    default:
      return Sum<Type, 6, 2>(w, from, sums);
  }
}

}  // namespace

PackedMatrix::Kernel Avx512Kernel(Precision precision) {
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
