#include "nn/weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace timbre::nn {
namespace {

std::string ShapeText(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d) text += ", ";
    text += shape[d] < 0 ? "any" : std::to_string(shape[d]);
  }
  return text + "]";
}

bool Fits(std::span<const std::int64_t> found, std::span<const std::int64_t> wanted) {
  return std::ranges::equal(found, wanted,
                            [](auto have, auto want) { return want < 0 || have == want; });
}

// What a constructor goes on with after an error; sizes left open become 1.
Weight Zeros(std::span<const std::int64_t> shape) {
  Weight weight;
  std::size_t count = 1;
  for (const std::int64_t dim : shape) {
    weight.shape.push_back(dim < 0 ? 1 : dim);
    count *= static_cast<std::size_t>(weight.shape.back());
  }
  weight.values.assign(count, 0.0f);
  return weight;
}

}  // namespace

struct WeightReader::Shared {
  const WeightSource& source;
  std::optional<Error> error;
};

WeightReader::WeightReader(const WeightSource& source, std::string prefix)
    : shared_(std::make_shared<Shared>(Shared{source, std::nullopt})), prefix_(std::move(prefix)) {
  if (!prefix_.empty() && prefix_.back() != '.') prefix_ += '.';
}

WeightReader WeightReader::Child(std::string_view name) const {
  WeightReader child = *this;
  child.prefix_ += name;
  child.prefix_ += '.';
  return child;
}

std::string WeightReader::FullName(std::string_view name) const {
  return prefix_ + std::string(name);
}

bool WeightReader::Has(std::string_view name) const {
  return shared_->source.Shape(FullName(name)).has_value();
}

std::optional<std::vector<std::int64_t>> WeightReader::Shape(std::string_view name) const {
  return shared_->source.Shape(FullName(name));
}

Weight WeightReader::Take(std::string_view name, std::initializer_list<std::int64_t> shape,
                          std::string_view likely_cause) {
  const std::string full = FullName(name);
  const std::string cause =
      likely_cause.empty() ? "" : fmt::format("; likely cause: {}", likely_cause);
  const auto found = shared_->source.Shape(full);
  if (!found) {
    Refuse({ErrorCode::kInvalidArgument, "weight_missing",
            fmt::format("the checkpoint has no tensor \"{}\" (expected with shape {}){}", full,
                        ShapeText(shape), cause)});
    return Zeros(shape);
  }
  if (!Fits(*found, shape)) {
    Refuse({ErrorCode::kInvalidArgument, "weight_shape",
            fmt::format("tensor \"{}\" has shape {}; expected {}{}", full, ShapeText(*found),
                        ShapeText(shape), cause)});
    return Zeros(shape);
  }
  auto weight = shared_->source.Read(full);
  if (!weight) {
    Refuse(std::move(weight).error());
    return Zeros(shape);
  }
  return *std::move(weight);
}

Weight WeightReader::TakeWeightNorm(std::string_view layer,
                                    std::initializer_list<std::int64_t> shape) {
  const std::string plain = std::string(layer) + ".weight";
  std::string gain = plain + "_g", direction = plain + "_v";
  if (!Has(gain)) {
    gain = std::string(layer) + ".parametrizations.weight.original0";
    direction = std::string(layer) + ".parametrizations.weight.original1";
  }
  if (!Has(gain)) return Take(plain, shape);

  Weight weight = Take(direction, shape);  // [first, rest…]
  TIMBRE_CHECK(!weight.shape.empty());
  const std::int64_t rows = weight.shape[0];
  // [first, 1, 1…]: the norm is taken over all dimensions but the first.
  const auto gain_shape = Shape(gain);
  std::int64_t gain_size = 1;
  for (const std::int64_t dim : *gain_shape) gain_size *= dim;
  if (gain_size != rows || gain_shape->empty() || gain_shape->front() != rows) {
    Refuse({ErrorCode::kInvalidArgument, "weight_shape",
            fmt::format("tensor \"{}\" has shape {}; expected {} values along the first dimension",
                        FullName(gain), ShapeText(*gain_shape), rows)});
    return Zeros(shape);
  }
  auto gains = shared_->source.Read(FullName(gain));
  if (!gains) {
    Refuse(std::move(gains).error());
    return Zeros(shape);
  }
  const std::int64_t columns = rows ? weight.size() / rows : 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    float* row = weight.values.data() + r * columns;
    double squares = 0;
    for (std::int64_t c = 0; c < columns; ++c) squares += double{row[c]} * row[c];
    // A row of zeros stays zero, where the formula would give not-a-number.
    const double scale = squares > 0 ? gains->values[r] / std::sqrt(squares) : 0.0;
    for (std::int64_t c = 0; c < columns; ++c) row[c] = static_cast<float>(row[c] * scale);
  }
  return weight;
}

Result<void> WeightReader::status() const {
  if (shared_->error) return std::unexpected(*shared_->error);
  return {};
}

void WeightReader::Refuse(Error error) {
  if (!shared_->error) shared_->error = std::move(error);
}

}  // namespace timbre::nn
