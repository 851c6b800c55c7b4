#include "tests/support/checkpoint_writer.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/check.h"

namespace timbre::testing {
namespace {

template <typename T>
std::string Number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

std::string Deflate(std::string_view data) {
  z_stream stream = {};
  TIMBRE_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                            Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  TIMBRE_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::uint16_t FloatToHalf(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(double{value});
  if (std::isnan(value)) return 0x7e00;
  // Subnormal and normal numbers are both a whole number of steps; nearbyint rounds ties to even.
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  if (exponent > 15) return sign | 0x7c00;
  const auto steps =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry out of the mantissa runs into the exponent, as it must.
  const std::uint32_t biased = magnitude < 0x1p-14 ? 0 : exponent + 14;
  return static_cast<std::uint16_t>(sign | ((biased << 10) + steps));
}

std::uint16_t FloatToBFloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace

PickleWriter& PickleWriter::Raw(std::string_view bytes) {
  bytes_ += bytes;
  return *this;
}

PickleWriter& PickleWriter::Int(std::int64_t value) {
  bytes_ += std::string("\x8a\x08", 2) + Number(value);  // LONG1
  return *this;
}

PickleWriter& PickleWriter::Float(double value) {
  bytes_ += "G" + Number(std::byteswap(std::bit_cast<std::uint64_t>(value)));
  return *this;
}

PickleWriter& PickleWriter::String(std::string_view text) {
  bytes_ += "X" + Number(static_cast<std::uint32_t>(text.size())) + std::string(text);
  return *this;
}

PickleWriter& PickleWriter::Global(std::string_view module, std::string_view name) {
  bytes_ += fmt::format("c{}\n{}\n", module, name);
  return *this;
}

PickleWriter& PickleWriter::Integers(const std::vector<std::int64_t>& values) {
  Mark();
  for (const std::int64_t value : values) Int(value);
  return Tuple();
}

PickleWriter& PickleWriter::Tensor(std::string_view storage_type, std::string_view key,
                                   std::int64_t elements, std::int64_t offset,
                                   const std::vector<std::int64_t>& shape,
                                   const std::vector<std::int64_t>& strides) {
  Global("torch._utils", "_rebuild_tensor_v2").Mark();
  Mark().String("storage").Global("torch", storage_type).String(key).String("cpu").Int(elements);
  Tuple().StorageId();
  Int(offset).Integers(shape).Integers(strides).Raw("\x89");
  Global("collections", "OrderedDict").Raw(")").Call();
  return Tuple().Call();
}

std::string HostilePickle(std::string_view module, std::string_view name,
                          std::string_view command) {
  return PickleWriter()
      .Mark()
      .String("weights")
      .Global(module, name)
      .Mark()
      .String(command)
      .Tuple()
      .Call()
      .Dict()
      .Finish();
}

std::string ZipBytes(const std::vector<ZipItem>& items) {
  std::string out, directory;
  for (const ZipItem& item : items) {
    const std::string packed = item.deflate ? Deflate(item.data) : item.data;
    const auto crc = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(item.data.data()), static_cast<uInt>(item.data.size())));
    // version, flags, method, time, date, checksum, sizes, name and extra length
    const std::string common =
        Number<std::uint16_t>(20) + Number<std::uint16_t>(0) +
        Number<std::uint16_t>(item.deflate ? 8 : 0) + Number<std::uint32_t>(0) + Number(crc) +
        Number(static_cast<std::uint32_t>(packed.size())) +
        Number(static_cast<std::uint32_t>(item.data.size())) +
        Number(static_cast<std::uint16_t>(item.name.size())) + Number<std::uint16_t>(0);
    directory += "PK\x01\x02" + Number<std::uint16_t>(20) + common + Number<std::uint16_t>(0) +
                 Number<std::uint32_t>(0) + Number<std::uint32_t>(0) +
                 Number(static_cast<std::uint32_t>(out.size())) + item.name;
    out += "PK\x03\x04" + common + item.name + packed;
  }
  const auto count = static_cast<std::uint16_t>(items.size());
  return out + directory + "PK\x05\x06" + Number<std::uint32_t>(0) + Number(count) + Number(count) +
         Number(static_cast<std::uint32_t>(directory.size())) +
         Number(static_cast<std::uint32_t>(out.size())) + Number<std::uint16_t>(0);
}

std::string TorchZipBytes(std::string_view pickle, const Storages& storages, bool deflate) {
  std::vector<ZipItem> items = {{"archive/data.pkl", std::string(pickle), deflate}};
  for (const auto& [key, bytes] : storages)
    items.push_back({"archive/data/" + key, bytes, deflate});
  items.push_back({"archive/version", "3\n"});
  return ZipBytes(items);
}

std::string TorchLegacyBytes(std::string_view pickle, const Storages& storages,
                             std::size_t element_bytes) {
  std::string out("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  out += PickleWriter().Int(1001).Finish();
  out += PickleWriter().Mark().String("little_endian").Raw("\x88").Dict().Finish();
  out += pickle;
  PickleWriter keys;
  keys.Mark();
  for (const auto& [key, bytes] : storages) keys.String(key);
  out += keys.List().Finish();
  for (const auto& [key, bytes] : storages)
    out += Number(static_cast<std::uint64_t>(bytes.size() / element_bytes)) + bytes;
  return out;
}

std::string SafetensorsBytes(std::string_view header, std::string_view data) {
  return Number(static_cast<std::uint64_t>(header.size())) + std::string(header) +
         std::string(data);
}

std::string PackedValues(const std::vector<float>& values, nn::DType type) {
  std::string out;
  for (const float value : values) switch (type) {
      case nn::DType::kF32:
        out += Number(value);
        break;
      case nn::DType::kF16:
        out += Number(FloatToHalf(value));
        break;
      case nn::DType::kBF16:
        out += Number(FloatToBFloat16(value));
        break;
      default:
        throw std::invalid_argument("this type is not written");
    }
  return out;
}

std::string StateDictBytes(const std::vector<NamedTensor>& tensors, nn::DType type) {
  const char* type_name = type == nn::DType::kF32   ? "F32"
                          : type == nn::DType::kF16 ? "F16"
                                                    : "BF16";
  std::string header, data;
  for (const NamedTensor& tensor : tensors) {
    const std::size_t begin = data.size();
    data += PackedValues(tensor.values, type);
    std::string shape;
    for (const std::int64_t dim : tensor.shape)
      shape += (shape.empty() ? "" : ",") + std::to_string(dim);
    header +=
        fmt::format(R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                    header.empty() ? "" : ",", tensor.name, type_name, shape, begin, data.size());
  }
  return SafetensorsBytes("{" + header + "}", data);
}

std::vector<std::uint8_t> ToBytes(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace timbre::testing
