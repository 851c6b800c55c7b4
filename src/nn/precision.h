// Arithmetic of a loaded model's heavy layers, and which one pays on this CPU.
//
// f32 is the reference. bf16 and int8 are what the layers are asked to use:
//   convolutions and many-row linears  weights and inputs are rounded to the type, sums are f32
//                                      (int32), outputs f32. Where the CPU has no such arithmetic
//                                      the same rounded numbers are computed in f32, at f32's speed
//                                      or less: for judging quality on any machine, not for use.
//   few-row linears, recurrent steps   weights are stored in the type (int8: one scale per output),
//                                      inputs and arithmetic stay f32: a gain on every CPU, for
//                                      this work is bound by reading the weights.
// Thread-safe. MeasurePrecisions takes a fraction of a second; call it once at load.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace timbre::nn {

enum class Precision { kF32, kBf16, kInt8 };

const char* PrecisionName(Precision precision);  // "f32", "bf16", "int8"
// A name as PrecisionName gives it; "unknown_precision" otherwise. ("auto" is the caller's.)
Result<Precision> ParsePrecision(std::string_view name);

enum class Activation { kNone, kRelu, kLeakyRelu, kTanh, kSigmoid };

// The CPU's own name ("AMD EPYC 7B13") and the widest instructions that we use on it
// ("AVX2", "AVX-512", "AVX-512 VNNI", "AVX-512 BF16", "AMX").
std::string CpuName();
const char* CpuInstructions();

// Whether the CPU computes in `precision` by its own instructions (not emulated).
bool HasPrecision(Precision precision);
// `wanted` where the CPU has it, else f32.
Precision SupportedPrecision(Precision wanted);

// Microseconds of processor time of one typical vocoder convolution on one thread, best of several;
// 0 where the CPU lacks the precision.
struct PrecisionTimes {
  double f32 = 0;
  double bf16 = 0;
  double int8 = 0;
};
PrecisionTimes MeasurePrecisions();

struct PrecisionChoice {
  Precision precision = Precision::kF32;
  std::string reason;  // one sentence for people, with the figures
};
// `--precision auto`: the fastest of `allowed` by measurement; f32 unless another is at least a
// tenth faster. Allow int8 only for models with known activation ranges.
PrecisionChoice ChoosePrecision(const PrecisionTimes& times, std::span<const Precision> allowed);

}  // namespace timbre::nn
