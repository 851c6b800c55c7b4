// A tensor as it lies in a weight file: type, shape, strides and the bytes of its storage, which
// other tensors may share. Conversion to f32 happens only when a weight is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "nn/weights.h"

namespace timbre::nn {

enum class DType { kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool };

const char* DTypeName(DType type);  // "f32", "bf16", …
std::size_t DTypeBytes(DType type);

struct StoredTensor {
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;      // in elements, as many as shape
  std::int64_t offset = 0;                // in elements
  std::span<const std::uint8_t> storage;  // little-endian; may be unaligned

  std::int64_t size() const;  // number of elements; call only after CheckStoredTensor
};

// Strides of a row-major tensor of this shape.
std::vector<std::int64_t> RowMajorStrides(const std::vector<std::int64_t>& shape);

// Whether every element lies inside the storage, which holds `storage_elements`, and the whole
// stays below `max_elements`. Errors: tensor_bad_shape, tensor_outside_storage, tensor_too_large.
Result<void> CheckStoredTensor(const StoredTensor& tensor, std::int64_t storage_elements,
                               std::int64_t max_elements);

// Row-major f32 values of a checked tensor.
Weight ToWeight(const StoredTensor& tensor);
// The number in a checked tensor of one element; nothing when it is larger or floating point.
std::optional<std::int64_t> ToInteger(const StoredTensor& tensor);

}  // namespace timbre::nn
