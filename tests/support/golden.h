// Arrays of the official implementations (tests/golden/*.npy) and how results are compared with
// them. A file that is missing or unreadable fails the test with its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "nn/tensor.h"

namespace timbre::testing {

// The full path of a file under tests/golden.
std::filesystem::path GoldenPath(std::string_view name);

// "sv2tts/ge2e/noise.mel.npy" as a matrix: [rows, cols] as stored; one dimension becomes one row;
// of more dimensions the last is the columns and the others are joined into rows.
nn::Tensor Golden(std::string_view name);
// Its stored shape and its values in row-major order.
std::vector<std::int64_t> GoldenShape(std::string_view name);
std::vector<float> GoldenVector(std::string_view name);
std::vector<std::int64_t> GoldenIntegers(std::string_view name);
// What numpy.packbits made of rows of `columns` bits (first bit highest): 0 or 1, row-major.
std::vector<std::uint8_t> GoldenBits(std::string_view name, std::int64_t columns);

// Largest difference of two arrays of the same shape.
struct Difference {
  double absolute = 0;  // max |actual - expected|
  double relative = 0;  // that, over the largest |expected|
  std::int64_t row = 0, col = 0;
};
Difference Compare(const nn::Tensor& actual, const nn::Tensor& expected);

// Fails unless the shapes agree, all values are finite and every |actual - expected| is at most
// `tolerance`; says how far off and where.
void ExpectClose(const nn::Tensor& actual, const nn::Tensor& expected, double tolerance);
void ExpectClose(std::span<const float> actual, std::span<const float> expected, double tolerance);

}  // namespace timbre::testing
