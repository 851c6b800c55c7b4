// Reads zip archives (stored and deflated entries, zip64) from memory that may be hostile: every
// offset is checked, entries must not overlap, names must be plain relative paths, and sizes,
// counts and the compression ratio have limits. Nothing is ever unpacked to disk. Source: PKWARE
// APPNOTE 6.3. Encryption and multi-part archives are not read.
// Immutable after Open: any number of threads may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace timbre {

struct ZipLimits {
  std::size_t max_entries = 200'000;
  std::uint64_t max_entry_bytes = std::uint64_t{16} << 30;  // unpacked
  // Deflate reaches 1032:1 at most; real weights and pickles stay below 20:1.
  std::uint64_t max_ratio = 200;
  // GPT-SoVITS writes a version number over the first two bytes ("PK") of its files; with this
  // the signature at offset 0 may have any first two bytes.
  bool first_magic_replaced = false;
};

struct ZipEntry {
  std::string name;
  bool deflated = false;
  std::uint64_t size = 0;  // unpacked
  std::uint32_t crc = 0;
  std::span<const std::uint8_t> packed;  // inside the archive
};

class ZipReader {
 public:
  // `bytes` must outlive the reader. Errors: zip_truncated, zip_corrupt, zip_bad_name,
  // zip_too_large, zip_unsupported.
  static Result<ZipReader> Open(std::span<const std::uint8_t> bytes, const ZipLimits& limits = {});

  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry* Find(std::string_view name) const;  // nullptr when absent

  // The unpacked bytes with their checksum verified.
  Result<std::vector<std::uint8_t>> Read(const ZipEntry& entry) const;

 private:
  std::vector<ZipEntry> entries_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace timbre
