#include "base/npy.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/byte_cursor.h"
#include "base/check.h"
#include "base/float16.h"
#include "base/mapped_file.h"
#include "base/zip.h"

namespace timbre {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxDimensions = 32;

std::unexpected<Error> Corrupt(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "npy_corrupt", "the .npy array is damaged: {}", what);
}

struct TypeRow {
  std::string_view name;
  NpyType type;
  std::size_t bytes;
};
constexpr TypeRow kTypes[] = {
    {"f2", NpyType::kF16, 2}, {"f4", NpyType::kF32, 4}, {"f8", NpyType::kF64, 8},
    {"i1", NpyType::kI8, 1},  {"i2", NpyType::kI16, 2}, {"i4", NpyType::kI32, 4},
    {"i8", NpyType::kI64, 8}, {"u1", NpyType::kU8, 1},  {"b1", NpyType::kBool, 1},
};

std::size_t BytesOf(NpyType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row.bytes;
  TIMBRE_CHECK(false);
}

struct NpyHeader {
  std::string type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Reads the header, a Python dict literal with exactly the three keys of the format:
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  std::optional<NpyHeader> Parse() {
    NpyHeader header;
    bool type = false, order = false, shape = false;
    if (!Skip('{')) return std::nullopt;
    while (!Skip('}')) {
      const auto key = String();
      if (!key || !Skip(':')) return std::nullopt;
      if (*key == "descr" && !type) {
        const auto value = String();
        if (!value) return std::nullopt;
        header.type = *value;
        type = true;
      } else if (*key == "fortran_order" && !order) {
        if (Skip("True"))
          header.fortran_order = true;
        else if (!Skip("False"))
          return std::nullopt;
        order = true;
      } else if (*key == "shape" && !shape) {
        if (!Shape(header.shape)) return std::nullopt;
        shape = true;
      } else {
        return std::nullopt;
      }
      Skip(',');
    }
    if (!type || !order || !shape) return std::nullopt;
    return header;
  }

 private:
  void SkipSpace() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }
  bool Skip(std::string_view word) {
    SkipSpace();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool Skip(char c) { return Skip(std::string_view(&c, 1)); }

  std::optional<std::string> String() {
    const char quote = Skip('\'') ? '\'' : Skip('"') ? '"' : '\0';
    if (!quote) return std::nullopt;
    const std::size_t end = text_.find(quote);
    if (end == text_.npos) return std::nullopt;
    std::string value(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return value;
  }

  bool Shape(std::vector<std::int64_t>& shape) {
    if (!Skip('(')) return false;
    while (!Skip(')')) {
      SkipSpace();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0 || shape.size() == kMaxDimensions) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(size);
      Skip('L');  // Python 2 wrote long integers so
      if (!Skip(',')) {
        if (!Skip(')')) return false;
        break;
      }
    }
    return true;
  }

  std::string_view text_;
};

// Turns column-major values into row-major ones.
std::vector<std::uint8_t> ToRowMajor(std::span<const std::uint8_t> values,
                                     const std::vector<std::int64_t>& shape, std::size_t bytes) {
  std::vector<std::uint8_t> out(values.size());
  std::vector<std::int64_t> strides(shape.size());  // of the source, in values
  std::int64_t step = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) strides[d] = std::exchange(step, step * shape[d]);
  std::vector<std::int64_t> index(shape.size(), 0);
  std::int64_t from = 0;
  for (std::size_t to = 0; to < out.size(); to += bytes) {
    std::memcpy(out.data() + to, values.data() + static_cast<std::size_t>(from) * bytes, bytes);
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}

template <typename From, typename To>
void Convert(const std::vector<std::uint8_t>& values, std::vector<To>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    From value;
    std::memcpy(&value, values.data() + i * sizeof(From), sizeof(From));
    out[i] = static_cast<To>(value);
  }
}

}  // namespace

std::int64_t NpyArray::size() const {
  return static_cast<std::int64_t>(values.size() / BytesOf(type));
}

std::vector<float> NpyArray::ToFloat() const {
  std::vector<float> out(static_cast<std::size_t>(size()));
  switch (type) {
    case NpyType::kF16:
      for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint16_t half;
        std::memcpy(&half, values.data() + 2 * i, 2);
        out[i] = HalfToFloat(half);
      }
      break;
    case NpyType::kF32:
      Convert<float>(values, out);
      break;
    case NpyType::kF64:
      Convert<double>(values, out);
      break;
    case NpyType::kI8:
      Convert<std::int8_t>(values, out);
      break;
    case NpyType::kI16:
      Convert<std::int16_t>(values, out);
      break;
    case NpyType::kI32:
      Convert<std::int32_t>(values, out);
      break;
    case NpyType::kI64:
      Convert<std::int64_t>(values, out);
      break;
    case NpyType::kU8:
    case NpyType::kBool:
      Convert<std::uint8_t>(values, out);
      break;
  }
  return out;
}

Result<std::vector<std::int64_t>> NpyArray::ToInt64() const {
  std::vector<std::int64_t> out(static_cast<std::size_t>(size()));
  switch (type) {
    case NpyType::kF16:
    case NpyType::kF32:
    case NpyType::kF64:
      return Fail(ErrorCode::kInvalidArgument, "npy_wrong_type",
                  "the .npy array holds floating point numbers where integers are wanted");
    case NpyType::kI8:
      Convert<std::int8_t>(values, out);
      break;
    case NpyType::kI16:
      Convert<std::int16_t>(values, out);
      break;
    case NpyType::kI32:
      Convert<std::int32_t>(values, out);
      break;
    case NpyType::kI64:
      Convert<std::int64_t>(values, out);
      break;
    case NpyType::kU8:
    case NpyType::kBool:
      Convert<std::uint8_t>(values, out);
      break;
  }
  return out;
}

Result<NpyArray> ParseNpy(std::span<const std::uint8_t> bytes) {
  ByteCursor cursor(bytes);
  const auto magic = cursor.Take(kMagic.size());
  if (!magic || std::memcmp(magic->data(), kMagic.data(), kMagic.size()) != 0)
    return Fail(ErrorCode::kInvalidArgument, "npy_corrupt", "this is not a .npy array");
  const auto major = cursor.Number<std::uint8_t>();
  cursor.Take(1);
  std::optional<std::uint32_t> header_size;
  if (major == 1) {
    header_size = cursor.Number<std::uint16_t>();
  } else if (major == 2 || major == 3) {
    header_size = cursor.Number<std::uint32_t>();
  } else {
    return Corrupt("its format version is unknown");
  }
  const auto text = header_size ? cursor.Take(*header_size) : std::nullopt;
  if (!text) return Corrupt("its header is cut off");
  auto header = HeaderParser({reinterpret_cast<const char*>(text->data()), text->size()}).Parse();
  if (!header) return Corrupt("its header is not the one of the format");

  const std::string_view type = header->type;
  const TypeRow* found = nullptr;
  if (type.size() == 3 && (type[0] == '<' || type[0] == '|'))
    for (const TypeRow& row : kTypes)
      if (type.substr(1) == row.name && (row.bytes == 1 || type[0] == '<')) found = &row;
  if (!found)
    return Fail(ErrorCode::kUnsupported, "npy_unsupported_type",
                "the .npy array has a type that is not read (only numbers, little-endian)");

  std::uint64_t count = 1;
  for (const std::int64_t size : header->shape)
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(size), &count))
      return Corrupt("its shape is too large");
  if (count != cursor.left() / found->bytes || cursor.left() % found->bytes != 0)
    return Corrupt("its shape and its length do not agree");
  const auto values = *cursor.Take(cursor.left());
  NpyArray array{.type = found->type, .shape = std::move(header->shape), .values = {}};
  if (header->fortran_order && array.shape.size() > 1 && count > 0)
    array.values = ToRowMajor(values, array.shape, found->bytes);
  else
    array.values.assign(values.begin(), values.end());
  return array;
}

Result<NpyArray> ReadNpy(const std::filesystem::path& path) {
  TIMBRE_ASSIGN(const MappedFile file, MappedFile::Open(path));
  auto array = ParseNpy(file.bytes());
  if (!array) array.error().message = path.string() + ": " + array.error().message;
  return array;
}

Result<std::map<std::string, NpyArray, std::less<>>> ReadNpz(const std::filesystem::path& path) {
  TIMBRE_ASSIGN(const MappedFile file, MappedFile::Open(path));
  const auto with_path = [&](Error error) {
    error.message = path.string() + ": " + error.message;
    return std::unexpected(std::move(error));
  };
  auto zip = ZipReader::Open(file.bytes());
  if (!zip) return with_path(std::move(zip).error());
  std::map<std::string, NpyArray, std::less<>> arrays;
  for (const ZipEntry& entry : zip->entries()) {
    std::string name = entry.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    auto bytes = zip->Read(entry);
    if (!bytes) return with_path(std::move(bytes).error());
    auto array = ParseNpy(*bytes);
    if (!array) return with_path(std::move(array).error());
    arrays.insert_or_assign(std::move(name), *std::move(array));
  }
  return arrays;
}

}  // namespace timbre
