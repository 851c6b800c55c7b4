// The calibration of an int8 model, kept beside its weights: a JSON file with the largest input of
// every layer ({"format": 1, "layers": {"ups.0": 3.5, ...}}; nn/calibration.h). Functions may run
// on any thread.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "nn/calibration.h"

namespace timbre::models {

// Errors: model_file_missing (kNotFound); calibration_invalid (kCorrupt) when it is no such file or
// a range is not a positive number.
Result<nn::ActivationRanges> ReadActivationRanges(const std::filesystem::path& path);

// Error: file_not_written (kUnavailable).
Result<void> WriteActivationRanges(const std::filesystem::path& path,
                                   const nn::ActivationRanges& ranges);

}  // namespace timbre::models
