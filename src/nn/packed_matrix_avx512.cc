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

// Eight accumulators hide the latency of FMA: `Rows` rows of x times `Steps` steps along k.
template <typename Type, int Rows, int Steps>
TIMBRE_TARGET_AVX512 void Sum(const std::byte* w, std::int64_t in, const float* x,
                              std::int64_t stride, float* sums) {
  __m512 sum[Rows][Steps];
  for (int r = 0; r < Rows; ++r) {
    for (int s = 0; s < Steps; ++s) sum[r][s] = _mm512_setzero_ps();
  }
  constexpr std::int64_t kStepBytes = PackedMatrix::kPanel * Type::kBytes;
  std::int64_t k = 0;
  for (; k + Steps <= in; k += Steps, w += Steps * kStepBytes) {
#pragma GCC unroll 8
    for (int s = 0; s < Steps; ++s) {
      const __m512 weights = Type::Load(w + s * kStepBytes);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        sum[r][s] = _mm512_fmadd_ps(_mm512_set1_ps(x[r * stride + k + s]), weights, sum[r][s]);
      }
    }
  }
  for (; k < in; ++k, w += kStepBytes) {
    const __m512 weights = Type::Load(w);
    for (int r = 0; r < Rows; ++r) {
      sum[r][0] = _mm512_fmadd_ps(_mm512_set1_ps(x[r * stride + k]), weights, sum[r][0]);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int s = 1; s < Steps; ++s) sum[r][0] = _mm512_add_ps(sum[r][0], sum[r][s]);
    _mm512_store_ps(sums + r * PackedMatrix::kPanel, sum[r][0]);
  }
}

template <typename Type>
void SumRows(const void* panel, std::int64_t in, const float* x, std::int64_t stride, int rows,
             float* sums) {
  const auto* w = static_cast<const std::byte*>(panel);
  switch (rows) {
    case 1:
      return Sum<Type, 1, 8>(w, in, x, stride, sums);
    case 2:
      return Sum<Type, 2, 4>(w, in, x, stride, sums);
    case 3:
      return Sum<Type, 3, 2>(w, in, x, stride, sums);
    default:
      return Sum<Type, 4, 2>(w, in, x, stride, sums);
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
