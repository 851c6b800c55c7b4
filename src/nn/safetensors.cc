#include "nn/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/byte_cursor.h"
#include "nn/pickle_globals.h"

namespace timbre::nn {
namespace {

std::unexpected<Error> Corrupt(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "safetensors_corrupt", "the safetensors file is damaged: {}",
              what);
}

struct TypeRow {
  std::string_view name;
  DType type;
};
constexpr TypeRow kTypes[] = {
    {"F64", DType::kF64}, {"F32", DType::kF32},   {"F16", DType::kF16}, {"BF16", DType::kBF16},
    {"I64", DType::kI64}, {"I32", DType::kI32},   {"I16", DType::kI16}, {"I8", DType::kI8},
    {"U8", DType::kU8},   {"BOOL", DType::kBool},
};

struct HeaderEntry {
  std::optional<std::string> type;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> offsets;
};

// Takes exactly the header's form and nothing else, event by event, so that neither depth nor
// size of hostile JSON matters:
// {"name": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}, "__metadata__": {"a": "b"}}
class HeaderHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::map<std::string, HeaderEntry> entries;
  std::map<std::string, std::string> metadata;

  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }
  bool number_integer(number_integer_t) override { return false; }  // only negative ones come here
  bool number_unsigned(number_unsigned_t value) override {
    if (!list_ || value > static_cast<number_unsigned_t>(INT64_MAX)) return false;
    list_->push_back(static_cast<std::int64_t>(value));
    return true;
  }
  bool string(string_t& value) override {
    if (depth_ != 2 || list_) return false;
    if (in_metadata_) return metadata.emplace(key_, value).second;
    if (key_ != "dtype" || entry_->type) return false;
    entry_->type = value;
    return true;
  }
  bool start_object(std::size_t) override {
    if (list_ || ++depth_ > 2) return false;
    if (depth_ == 2 && !in_metadata_) {
      const auto [at, added] = entries.try_emplace(key_);
      entry_ = &at->second;
      return added;
    }
    return true;
  }
  bool end_object() override {
    --depth_;
    in_metadata_ = false;
    return true;
  }
  bool key(string_t& value) override {
    key_ = value;
    if (depth_ == 1) in_metadata_ = value == "__metadata__";
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || list_) return false;
    auto* target = key_ == "shape"          ? &entry_->shape
                   : key_ == "data_offsets" ? &entry_->offsets
                                            : nullptr;
    if (!target || *target) return false;
    list_ = &target->emplace();
    return true;
  }
  bool end_array() override {
    list_ = nullptr;
    return true;
  }

 private:
  int depth_ = 0;
  bool in_metadata_ = false;
  std::string key_;
  HeaderEntry* entry_ = nullptr;
  std::vector<std::int64_t>* list_ = nullptr;
};

Result<StoredTensor> MakeTensor(std::string_view name, const HeaderEntry& entry,
                                std::span<const std::uint8_t> data, std::int64_t max_elements) {
  if (!entry.type || !entry.shape || !entry.offsets || entry.offsets->size() != 2)
    return Corrupt("a tensor lacks its type, shape or place");
  const auto row = std::ranges::find(kTypes, *entry.type, &TypeRow::name);
  if (row == std::end(kTypes))
    return Fail(ErrorCode::kUnsupported, "safetensors_unsupported_type",
                "tensor \"{}\" has the type {}, which is not read", PrintableName(name),
                PrintableName(*entry.type));
  const auto begin = static_cast<std::uint64_t>((*entry.offsets)[0]);
  const auto end = static_cast<std::uint64_t>((*entry.offsets)[1]);
  if (begin > end) return Corrupt("a tensor ends before it begins");
  if (end > data.size())
    return Fail(ErrorCode::kCorrupt, "safetensors_truncated",
                "the safetensors file is truncated: a tensor lies beyond its end");
  StoredTensor tensor{.dtype = row->type, .shape = *entry.shape, .strides = {}, .storage = {}};
  std::uint64_t wanted = DTypeBytes(row->type);
  for (const std::int64_t dim : tensor.shape)
    if (__builtin_mul_overflow(wanted, static_cast<std::uint64_t>(dim), &wanted))
      return Corrupt("a tensor's shape is too large");
  if (wanted != end - begin) return Corrupt("a tensor's shape and size do not agree");
  tensor.strides = RowMajorStrides(tensor.shape);
  tensor.storage = data.subspan(begin, end - begin);
  const auto elements = static_cast<std::int64_t>(wanted / DTypeBytes(row->type));
  if (auto checked = CheckStoredTensor(tensor, elements, max_elements); !checked)
    return Fail(checked.error().code, checked.error().reason, "tensor \"{}\": {}",
                PrintableName(name), checked.error().message);
  return tensor;
}

}  // namespace

bool LooksLikeSafetensors(std::span<const std::uint8_t> bytes) {
  return bytes.size() > sizeof(std::uint64_t) && bytes[sizeof(std::uint64_t)] == '{';
}

Result<Safetensors> ReadSafetensors(std::span<const std::uint8_t> bytes,
                                    std::size_t max_header_bytes, std::int64_t max_elements) {
  ByteCursor cursor(bytes);
  const auto header_size = cursor.Number<std::uint64_t>();
  if (!header_size) return Corrupt("it is too short");
  if (*header_size > max_header_bytes)
    return Fail(ErrorCode::kTooLarge, "safetensors_corrupt",
                "the safetensors file states a header of {} bytes; the limit is {}", *header_size,
                max_header_bytes);
  const auto header = cursor.Take(*header_size);
  if (!header)
    return Fail(ErrorCode::kCorrupt, "safetensors_truncated",
                "the safetensors file is truncated: its header lies beyond its end");
  const auto data = bytes.subspan(cursor.position());
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(header->begin(), header->end(), &handler))
    return Corrupt("its header does not have the form of the format");

  Safetensors file;
  file.metadata = std::move(handler.metadata);
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const auto& [name, entry] : handler.entries) {
    TIMBRE_ASSIGN(StoredTensor tensor, MakeTensor(name, entry, data, max_elements));
    file.tensors.emplace(name, std::move(tensor));
    ranges.emplace_back((*entry.offsets)[0], (*entry.offsets)[1]);
  }
  std::ranges::sort(ranges);
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first < ranges[i - 1].second) return Corrupt("two tensors overlap");
  return file;
}

}  // namespace timbre::nn
