#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/npy.h"

namespace timbre::testing {
namespace {

NpyArray Load(std::string_view name) {
  auto array = ReadNpy(GoldenPath(name));
  // An exception ends just this test, and gtest prints its text.
  if (!array) throw std::runtime_error(array.error().message);
  return *std::move(array);
}

nn::Tensor Row(std::span<const float> values) {
  nn::Tensor row;
  row.Reshape(1, static_cast<std::int64_t>(values.size()));
  std::ranges::copy(values, row.data());
  return row;
}

}  // namespace

std::filesystem::path GoldenPath(std::string_view name) {
  return std::filesystem::path(TIMBRE_SOURCE_DIR) / "tests" / "golden" / name;
}

nn::Tensor Golden(std::string_view name) {
  const NpyArray array = Load(name);
  const std::int64_t cols = array.shape.empty() ? 1 : array.shape.back();
  nn::Tensor tensor;
  tensor.Reshape(cols ? array.size() / cols : 0, cols);
  std::ranges::copy(array.ToFloat(), tensor.data());
  return tensor;
}

std::vector<std::int64_t> GoldenShape(std::string_view name) { return Load(name).shape; }

std::vector<float> GoldenVector(std::string_view name) { return Load(name).ToFloat(); }

std::vector<std::int64_t> GoldenIntegers(std::string_view name) {
  auto values = Load(name).ToInt64();
  if (!values) throw std::runtime_error(std::string(name) + ": " + values.error().message);
  return *std::move(values);
}

std::vector<std::uint8_t> GoldenBits(std::string_view name, std::int64_t columns) {
  const NpyArray array = Load(name);
  const std::int64_t row_bytes = (columns + 7) / 8;
  if (array.type != NpyType::kU8 || array.shape.empty() || array.shape.back() != row_bytes)
    throw std::runtime_error(std::string(name) + ": holds no packed rows of that many bits");
  std::vector<std::uint8_t> bits;
  bits.reserve(static_cast<std::size_t>(array.size() / row_bytes * columns));
  for (std::int64_t row = 0; row < array.size() / row_bytes; ++row)
    for (std::int64_t i = 0; i < columns; ++i)
      bits.push_back((array.values[row * row_bytes + i / 8] >> (7 - i % 8)) & 1);
  return bits;
}

Difference Compare(const nn::Tensor& actual, const nn::Tensor& expected) {
  Difference worst;
  double peak = 0;
  for (std::int64_t r = 0; r < expected.rows(); ++r)
    for (std::int64_t c = 0; c < expected.cols(); ++c) {
      const double difference = std::abs(double{actual.at(r, c)} - expected.at(r, c));
      peak = std::max(peak, std::abs(double{expected.at(r, c)}));
      // Written so that a not-a-number counts as the worst.
      if (!(difference <= worst.absolute) && !std::isnan(worst.absolute))
        worst = {difference, 0, r, c};
    }
  worst.relative = peak > 0 ? worst.absolute / peak : worst.absolute;
  return worst;
}

void ExpectClose(const nn::Tensor& actual, const nn::Tensor& expected, double tolerance) {
  ASSERT_EQ(actual.rows(), expected.rows()) << "rows";
  ASSERT_EQ(actual.cols(), expected.cols()) << "columns";
  const Difference worst = Compare(actual, expected);
  if (expected.size() == 0) return;
  EXPECT_LE(worst.absolute, tolerance)
      << "worst at [" << worst.row << ", " << worst.col << "]: " << actual.at(worst.row, worst.col)
      << " instead of " << expected.at(worst.row, worst.col) << "; " << worst.relative
      << " of the largest value; shape [" << expected.rows() << ", " << expected.cols() << "]";
}

void ExpectClose(std::span<const float> actual, std::span<const float> expected, double tolerance) {
  ExpectClose(Row(actual), Row(expected), tolerance);
}

}  // namespace timbre::testing
