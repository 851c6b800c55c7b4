// NumPy array files: .npy (format versions 1 to 3) and .npz (a zip of them). Reads the number
// types below, C and Fortran order, little-endian; never objects (those are pickles). Source:
// numpy.lib.format. Plain values, nothing shared; input may be hostile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace timbre {

enum class NpyType { kF16, kF32, kF64, kI8, kI16, kI32, kI64, kU8, kBool };

struct NpyArray {
  NpyType type = NpyType::kF32;
  std::vector<std::int64_t> shape;   // empty: a single number
  std::vector<std::uint8_t> values;  // row-major (C order), little-endian

  std::int64_t size() const;  // number of values
  std::vector<float> ToFloat() const;
  // Refuses floating point (npy_wrong_type).
  Result<std::vector<std::int64_t>> ToInt64() const;
};

// Errors: npy_corrupt, npy_unsupported_type, file_not_found, …
Result<NpyArray> ParseNpy(std::span<const std::uint8_t> bytes);
Result<NpyArray> ReadNpy(const std::filesystem::path& path);

// All arrays of an .npz by name, without ".npy".
Result<std::map<std::string, NpyArray, std::less<>>> ReadNpz(const std::filesystem::path& path);

}  // namespace timbre
