#include "nn/stored_tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/float16.h"

namespace timbre::nn {
namespace {

struct TypeRow {
  DType type;
  const char* name;
  std::size_t bytes;
};
constexpr TypeRow kTypes[] = {
    {DType::kF64, "f64", 8},   {DType::kF32, "f32", 4}, {DType::kF16, "f16", 2},
    {DType::kBF16, "bf16", 2}, {DType::kI64, "i64", 8}, {DType::kI32, "i32", 4},
    {DType::kI16, "i16", 2},   {DType::kI8, "i8", 1},   {DType::kU8, "u8", 1},
    {DType::kBool, "bool", 1},
};

const TypeRow& RowOf(DType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row;
  TIMBRE_CHECK(false);
}

// A 16-bit float pattern that converts itself.
struct Half {
  std::uint16_t bits;
  operator float() const { return HalfToFloat(bits); }
};
struct BFloat16 {
  std::uint16_t bits;
  operator float() const { return BFloat16ToFloat(bits); }
};

template <typename T>
T LoadAs(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <typename T>
void Gather(const StoredTensor& tensor, std::vector<float>& out) {
  const std::uint8_t* base = tensor.storage.data() + tensor.offset * sizeof(T);
  if (tensor.strides == RowMajorStrides(tensor.shape)) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<float>(LoadAs<T>(base + i * sizeof(T)));
    return;
  }
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  std::int64_t from = 0;
  for (float& value : out) {
    value = static_cast<float>(LoadAs<T>(base + from * static_cast<std::int64_t>(sizeof(T))));
    for (std::size_t d = index.size(); d-- > 0;) {
      from += tensor.strides[d];
      if (++index[d] < tensor.shape[d]) break;
      from -= tensor.strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

const char* DTypeName(DType type) { return RowOf(type).name; }
std::size_t DTypeBytes(DType type) { return RowOf(type).bytes; }

std::int64_t StoredTensor::size() const {
  // An empty tensor may have other sizes whose product overflows.
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t dim : shape) count *= dim;
  return count;
}

std::vector<std::int64_t> RowMajorStrides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  if (std::ranges::find(shape, 0) != shape.end()) return strides;
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) strides[d] = std::exchange(step, step * shape[d]);
  return strides;
}

Result<void> CheckStoredTensor(const StoredTensor& tensor, std::int64_t storage_elements,
                               std::int64_t max_elements) {
  constexpr std::size_t kMaxDimensions = 16;
  if (tensor.shape.size() > kMaxDimensions || tensor.strides.size() != tensor.shape.size() ||
      tensor.offset < 0 || std::ranges::any_of(tensor.shape, [](auto n) { return n < 0; }) ||
      std::ranges::any_of(tensor.strides, [](auto n) { return n < 0; }))
    return Fail(ErrorCode::kCorrupt, "tensor_bad_shape",
                "it has a negative size, stride or offset, or too many dimensions");
  const bool empty = std::ranges::find(tensor.shape, 0) != tensor.shape.end();
  std::int64_t last = tensor.offset;  // position of the last element
  std::int64_t count = 1;
  bool overflow = false;
  for (std::size_t d = 0; d < tensor.shape.size() && !empty; ++d) {
    std::int64_t span = 0;
    overflow |= __builtin_mul_overflow(tensor.shape[d] - 1, tensor.strides[d], &span);
    overflow |= __builtin_add_overflow(last, span, &last);
    overflow |= __builtin_mul_overflow(count, tensor.shape[d], &count);
  }
  if (empty) return {};
  if (overflow || last >= storage_elements)
    return Fail(ErrorCode::kCorrupt, "tensor_outside_storage",
                "it reaches beyond the {} values that the file holds for it", storage_elements);
  // Repeated elements (stride 0) let a small file name a huge tensor.
  constexpr std::int64_t kMaxRepeated = 1 << 20;
  if (count > max_elements || (count > storage_elements && count > kMaxRepeated))
    return Fail(ErrorCode::kTooLarge, "tensor_too_large", "it has {} elements, too many", count);
  return {};
}

Weight ToWeight(const StoredTensor& tensor) {
  Weight weight{tensor.shape, std::vector<float>(static_cast<std::size_t>(tensor.size()))};
  if (weight.values.empty()) return weight;
  switch (tensor.dtype) {
    case DType::kF64:
      Gather<double>(tensor, weight.values);
      break;
    case DType::kF32:
      Gather<float>(tensor, weight.values);
      break;
    case DType::kF16:
      Gather<Half>(tensor, weight.values);
      break;
    case DType::kBF16:
      Gather<BFloat16>(tensor, weight.values);
      break;
    case DType::kI64:
      Gather<std::int64_t>(tensor, weight.values);
      break;
    case DType::kI32:
      Gather<std::int32_t>(tensor, weight.values);
      break;
    case DType::kI16:
      Gather<std::int16_t>(tensor, weight.values);
      break;
    case DType::kI8:
      Gather<std::int8_t>(tensor, weight.values);
      break;
    case DType::kU8:
      Gather<std::uint8_t>(tensor, weight.values);
      break;
    // Any byte but 0 is true; as a C++ bool it would be undefined.
    case DType::kBool:
      Gather<std::uint8_t>(tensor, weight.values);
      for (float& value : weight.values) value = value != 0.0f;
      break;
  }
  return weight;
}

std::optional<std::int64_t> ToInteger(const StoredTensor& tensor) {
  if (tensor.size() != 1) return std::nullopt;
  const std::uint8_t* at =
      tensor.storage.data() + tensor.offset * static_cast<std::int64_t>(DTypeBytes(tensor.dtype));
  switch (tensor.dtype) {
    case DType::kI64:
      return LoadAs<std::int64_t>(at);
    case DType::kI32:
      return LoadAs<std::int32_t>(at);
    case DType::kI16:
      return LoadAs<std::int16_t>(at);
    case DType::kI8:
      return LoadAs<std::int8_t>(at);
    case DType::kU8:
      return *at;
    case DType::kBool:
      return *at != 0;
    default:
      return std::nullopt;
  }
}

}  // namespace timbre::nn
