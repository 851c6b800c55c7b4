// The two containers of PyTorch: the zip archive (since 1.6) and the older chain of pickles that
// is followed by raw storages. Both give one tree of values and, by key, the bytes of storages.
// Sources: torch/serialization.py, caffe2/serialize/inline_container.cc.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/zip.h"
#include "nn/pickle.h"

namespace timbre::nn {

struct TorchFile {
  PickleTree tree;
  std::string format_version;  // "3" of a zip, "1001" of the old format
  // Old format: every storage. Zip: those asked for that had to be unpacked.
  std::map<std::string, std::span<const std::uint8_t>, std::less<>> storages;

  // The bytes of a storage. Errors: torch_storage_missing, zip_….
  Result<std::span<const std::uint8_t>> Storage(const std::string& key);

  std::optional<ZipReader> zip;
  std::string zip_prefix;  // "archive/data/"
  std::vector<std::unique_ptr<std::vector<std::uint8_t>>> unpacked;
};

// `bytes` must outlive the result. `replaced_magic`: see ZipLimits.
// Errors: those of zip and pickle, torch_corrupt, torch_unsupported.
Result<TorchFile> ReadTorchZip(std::span<const std::uint8_t> bytes, bool replaced_magic,
                               std::size_t max_pickle_bytes, const PickleLimits& limits);

// Whether a pickle is the magic number that starts the old format.
bool IsTorchLegacyMagic(const PickleValue& value);

Result<TorchFile> ReadTorchLegacy(std::span<const std::uint8_t> bytes, const PickleLimits& limits);

}  // namespace timbre::nn
