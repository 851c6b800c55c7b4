// Arithmetic of a loaded model's heavy layers. f32 is the reference; what a CPU lacks falls back
// to f32 (SupportedPrecision says so).
#pragma once

#include <string_view>

#include "base/error.h"

namespace timbre::nn {

enum class Precision { kF32, kBf16, kInt8 };

const char* PrecisionName(Precision precision);                  // "f32", "bf16", "int8"
Result<Precision> ParsePrecision(std::string_view name);

enum class Activation { kNone, kRelu, kLeakyRelu, kTanh, kSigmoid };

}  // namespace timbre::nn
