#include "nn/torch_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/byte_cursor.h"

namespace timbre::nn {
namespace {

using Kind = PickleValue::Kind;

std::unexpected<Error> Corrupt(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "torch_corrupt", "the PyTorch file is damaged: {}", what);
}
std::unexpected<Error> BigEndian() {
  return Fail(ErrorCode::kUnsupported, "torch_unsupported",
              "the PyTorch file was written on a big-endian machine, which is not read");
}

Result<std::string> ReadText(const ZipReader& zip, const std::string& name) {
  constexpr std::size_t kMaxText = 64;
  const ZipEntry* entry = zip.Find(name);
  if (!entry) return std::string();
  if (entry->size > kMaxText) return Corrupt("a version record is too long");
  TIMBRE_ASSIGN(const auto bytes, zip.Read(*entry));
  std::string text(bytes.begin(), bytes.end());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// The element type of every storage that the pickle names.
Result<std::map<std::string, DType>> StorageTypes(const PickleTree& tree) {
  std::map<std::string, DType> types;
  for (const PickleValue& value : tree.values()) {
    if (value.kind != Kind::kStorage) continue;
    const auto [at, added] = types.emplace(value.tensor->storage_key, value.tensor->dtype);
    if (!added && at->second != value.tensor->dtype) return Corrupt("a storage has two types");
  }
  return types;
}

}  // namespace

Result<std::span<const std::uint8_t>> TorchFile::Storage(const std::string& key) {
  if (const auto found = storages.find(key); found != storages.end()) return found->second;
  const ZipEntry* entry = zip ? zip->Find(zip_prefix + key) : nullptr;
  if (!entry)
    return Fail(ErrorCode::kCorrupt, "torch_storage_missing",
                "the PyTorch file lacks the data of one of its tensors");
  if (!entry->deflated) return entry->packed;
  TIMBRE_ASSIGN(auto bytes, zip->Read(*entry));
  unpacked.push_back(std::make_unique<std::vector<std::uint8_t>>(std::move(bytes)));
  return storages[key] = *unpacked.back();
}

Result<TorchFile> ReadTorchZip(std::span<const std::uint8_t> bytes, bool replaced_magic,
                               std::size_t max_pickle_bytes, const PickleLimits& limits) {
  TIMBRE_ASSIGN(ZipReader zip, ZipReader::Open(bytes, {.first_magic_replaced = replaced_magic}));
  constexpr std::string_view kPickle = "data.pkl";
  const auto pickle = std::ranges::find_if(zip.entries(), [&](const ZipEntry& entry) {
    const std::string_view name = entry.name;
    return name == kPickle ||
           (name.ends_with(kPickle) && name.find('/') == name.size() - kPickle.size() - 1);
  });
  if (pickle == zip.entries().end())
    return Fail(ErrorCode::kUnsupported, "torch_unsupported",
                "this zip archive is no PyTorch checkpoint: it has no data.pkl");
  if (pickle->size > max_pickle_bytes)
    return Fail(ErrorCode::kTooLarge, "pickle_too_large",
                "the pickle in the PyTorch file has {} bytes; the limit is {}", pickle->size,
                max_pickle_bytes);
  const std::string folder = pickle->name.substr(0, pickle->name.size() - kPickle.size());
  TorchFile file;
  file.zip_prefix = folder + "data/";
  TIMBRE_ASSIGN(const std::string order, ReadText(zip, folder + "byteorder"));
  if (order == "big") return BigEndian();
  TIMBRE_ASSIGN(file.format_version, ReadText(zip, folder + "version"));
  TIMBRE_ASSIGN(const auto program, zip.Read(*pickle));
  TIMBRE_ASSIGN(const PickleRead read, ReadPickle(program, 0, limits, file.tree));
  file.tree.set_root(read.value);
  file.zip = std::move(zip);
  return file;
}

bool IsTorchLegacyMagic(const PickleValue& value) {
  return value.kind == Kind::kBigInt && value.text == "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
}

Result<TorchFile> ReadTorchLegacy(std::span<const std::uint8_t> bytes, const PickleLimits& limits) {
  TorchFile file;
  TIMBRE_ASSIGN(const PickleRead magic, ReadPickle(bytes, 0, limits, file.tree));
  if (!IsTorchLegacyMagic(*magic.value)) return Corrupt("its first number is wrong");
  TIMBRE_ASSIGN(const PickleRead version, ReadPickle(bytes, magic.end, limits, file.tree));
  if (version.value->AsInt() != 1001)
    return Fail(ErrorCode::kUnsupported, "torch_unsupported",
                "the PyTorch file has a format version other than 1001, which is not read");
  file.format_version = "1001";
  TIMBRE_ASSIGN(const PickleRead system, ReadPickle(bytes, version.end, limits, file.tree));
  const PickleValue* little_endian = system.value->Find("little_endian");
  if (little_endian && little_endian->AsInt() == 0) return BigEndian();
  TIMBRE_ASSIGN(const PickleRead root, ReadPickle(bytes, system.end, limits, file.tree));
  file.tree.set_root(root.value);
  TIMBRE_ASSIGN(const PickleRead keys, ReadPickle(bytes, root.end, limits, file.tree));
  if (keys.value->kind != Kind::kList) return Corrupt("its list of storages is missing");

  TIMBRE_ASSIGN(const auto types, StorageTypes(file.tree));
  ByteCursor cursor(bytes, keys.end);
  for (const PickleValue* key : keys.value->items) {
    const auto type = key->kind == Kind::kString ? types.find(key->text) : types.end();
    if (type == types.end()) return Corrupt("it lists a storage that no tensor uses");
    const auto elements = cursor.Number<std::uint64_t>();
    const std::size_t element_bytes = DTypeBytes(type->second);
    if (!elements || *elements > cursor.left() / element_bytes)
      return Corrupt("the data of its tensors is cut off");
    if (!file.storages.emplace(key->text, *cursor.Take(*elements * element_bytes)).second)
      return Corrupt("it lists a storage twice");
  }
  return file;
}

}  // namespace timbre::nn
