// What the CPU can do, asked once. Kernels of our own are written for three levels and chosen at
// run time, so that one binary serves every x86-64. ONEDNN_MAX_CPU_ISA caps these as it caps
// oneDNN, for tests and comparisons.
#pragma once

namespace timbre::nn {

enum class CpuLevel { kBase, kAvx2, kAvx512 };

struct CpuFeatures {
  CpuLevel level = CpuLevel::kBase;  // kAvx2 has FMA; kAvx512 has F, BW, DQ and VL
  bool int8 = false;                 // VNNI: int8 products summed in int32 without saturation
  bool bf16 = false;                 // AVX512-BF16 or better
  bool amx = false;
};
const CpuFeatures& Cpu();

// Whether layers compute f32 work of any size by our own kernels. With AVX2 they are faster than
// oneDNN's on every shape that we use; with AVX-512 oneDNN is the choice.
bool OwnKernelsForAll();
// While one lives, layers made on this thread take oneDNN for that work: for tests and comparisons.
class OneDnnForAll {
 public:
  OneDnnForAll();
  ~OneDnnForAll();
  OneDnnForAll(const OneDnnForAll&) = delete;
  OneDnnForAll& operator=(const OneDnnForAll&) = delete;
};

}  // namespace timbre::nn

// TIMBRE_FOR_EACH_LEVEL(void, Name, (parameters), (arguments)) defines Name, which runs the
// always_inline function NameBody compiled for the CPU's level.
#define TIMBRE_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define TIMBRE_TARGET_AVX512 __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")))
#define TIMBRE_INLINE_BODY static inline __attribute__((always_inline))
#define TIMBRE_FOR_EACH_LEVEL(type, name, parameters, arguments)                            \
  static type name##Base parameters { return name##Body arguments; }                        \
  TIMBRE_TARGET_AVX2 static type name##Avx2 parameters { return name##Body arguments; }     \
  TIMBRE_TARGET_AVX512 static type name##Avx512 parameters { return name##Body arguments; } \
  type name parameters {                                                                    \
    switch (Cpu().level) {                                                                  \
      case CpuLevel::kAvx512:                                                               \
        return name##Avx512 arguments;                                                      \
      case CpuLevel::kAvx2:                                                                 \
        return name##Avx2 arguments;                                                        \
      default:                                                                              \
        return name##Base arguments;                                                        \
    }                                                                                       \
  }
