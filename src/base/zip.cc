#include "base/zip.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/byte_cursor.h"

namespace timbre {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64LocatorSize = 20;
constexpr std::size_t kMaxComment = 65535;

std::unexpected<Error> Truncated() {
  return Fail(ErrorCode::kCorrupt, "zip_truncated", "the zip archive is truncated");
}

std::unexpected<Error> Corrupt(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "zip_corrupt", "the zip archive is damaged: {}", what);
}

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// The zip64 end record, named by the locator just before the plain one.
Result<Directory> ReadEnd64(std::span<const std::uint8_t> bytes, std::size_t end) {
  if (end < kEnd64LocatorSize) return Truncated();
  ByteCursor locator(bytes, end - kEnd64LocatorSize);
  if (locator.Number<std::uint32_t>() != kEnd64Locator) return Corrupt("no zip64 locator");
  locator.Take(4);
  const std::uint64_t offset = *locator.Number<std::uint64_t>();
  if (offset > bytes.size()) return Corrupt("the zip64 record lies outside the file");
  ByteCursor cursor(bytes, static_cast<std::size_t>(offset));
  if (cursor.Number<std::uint32_t>() != kEnd64) return Corrupt("no zip64 record");
  if (!cursor.Take(8 + 2 + 2)) return Truncated();
  const auto disk = cursor.Number<std::uint32_t>();
  const auto start_disk = cursor.Number<std::uint32_t>();
  cursor.Take(8);
  const auto entries = cursor.Number<std::uint64_t>();
  const auto size = cursor.Number<std::uint64_t>();
  const auto start = cursor.Number<std::uint64_t>();
  if (!start) return Truncated();
  if (*disk != 0 || *start_disk != 0)
    return Fail(ErrorCode::kUnsupported, "zip_unsupported", "the zip archive has several parts");
  return Directory{*entries, *start, *size};
}

Result<Directory> ReadEnd(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kEndSize) return Truncated();
  // The record sits at the very end, before a comment of unknown length: search backwards.
  const std::size_t last = bytes.size() - kEndSize;
  const std::size_t first = last > kMaxComment ? last - kMaxComment : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    ByteCursor cursor(bytes, at);
    if (cursor.Number<std::uint32_t>() != kEnd) continue;
    const auto disk = *cursor.Number<std::uint16_t>();
    const auto start_disk = *cursor.Number<std::uint16_t>();
    cursor.Take(2);
    const auto entries = *cursor.Number<std::uint16_t>();
    const auto size = *cursor.Number<std::uint32_t>();
    const auto offset = *cursor.Number<std::uint32_t>();
    const auto comment = *cursor.Number<std::uint16_t>();
    if (comment > cursor.left()) continue;
    if (entries == 0xffff || size == 0xffffffff || offset == 0xffffffff)
      return ReadEnd64(bytes, at);
    if (disk != 0 || start_disk != 0)
      return Fail(ErrorCode::kUnsupported, "zip_unsupported", "the zip archive has several parts");
    return Directory{entries, offset, size};
  }
  return Truncated();
}

// Archives are only read from memory, but a name that would escape a folder is a sign of malice.
bool PlainName(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\0') != name.npos ||
      name.find('\\') != name.npos)
    return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return false;
    begin = end + 1;
  }
  return true;
}

struct Header {
  ZipEntry entry;
  std::uint64_t packed_size = 0;
  std::uint64_t local_offset = 0;
};

// Replaces the fields that hold 0xffffffff by those of the zip64 extra field.
Result<void> ReadExtra64(std::span<const std::uint8_t> extra, Header& header) {
  constexpr std::uint32_t kAll = 0xffffffff;
  std::vector<std::uint64_t*> wide;
  if (header.entry.size == kAll) wide.push_back(&header.entry.size);
  if (header.packed_size == kAll) wide.push_back(&header.packed_size);
  if (header.local_offset == kAll) wide.push_back(&header.local_offset);
  if (wide.empty()) return {};
  ByteCursor cursor(extra);
  while (cursor.left() >= 4) {
    const auto id = *cursor.Number<std::uint16_t>();
    const auto field = cursor.Take(*cursor.Number<std::uint16_t>());
    if (!field) break;
    if (id != 1) continue;
    ByteCursor values(*field);
    for (std::uint64_t* value : wide) {
      const auto read = values.Number<std::uint64_t>();
      if (!read) return Corrupt("a zip64 field is too short");
      *value = *read;
    }
    return {};
  }
  return Corrupt("a zip64 field is missing");
}

Result<Header> ReadCentralHeader(ByteCursor& cursor) {
  const auto signature = cursor.Number<std::uint32_t>();
  if (!signature) return Truncated();
  if (*signature != kCentralHeader) return Corrupt("its list of entries is broken");
  if (cursor.left() < 42) return Truncated();
  cursor.Take(4);
  const auto flags = *cursor.Number<std::uint16_t>();
  const auto method = *cursor.Number<std::uint16_t>();
  cursor.Take(4);
  Header header;
  header.entry.crc = *cursor.Number<std::uint32_t>();
  header.packed_size = *cursor.Number<std::uint32_t>();
  header.entry.size = *cursor.Number<std::uint32_t>();
  const auto name_size = *cursor.Number<std::uint16_t>();
  const auto extra_size = *cursor.Number<std::uint16_t>();
  const auto comment_size = *cursor.Number<std::uint16_t>();
  cursor.Take(8);
  header.local_offset = *cursor.Number<std::uint32_t>();
  const auto name = cursor.Take(name_size);
  const auto extra = cursor.Take(extra_size);
  if (!name || !extra || !cursor.Take(comment_size)) return Truncated();
  header.entry.name.assign(name->begin(), name->end());
  if (!PlainName(header.entry.name))
    return Fail(ErrorCode::kCorrupt, "zip_bad_name",
                "the zip archive has an entry whose name leads outside of it");
  if (flags & 1)
    return Fail(ErrorCode::kUnsupported, "zip_unsupported", "the zip archive is encrypted");
  if (method != 0 && method != 8)
    return Fail(ErrorCode::kUnsupported, "zip_unsupported",
                "the zip archive uses compression method {}, which is not read", method);
  header.entry.deflated = method == 8;
  TIMBRE_TRY(ReadExtra64(*extra, header));
  return header;
}

// Finds the entry's data behind its local header.
Result<void> Locate(std::span<const std::uint8_t> bytes, const ZipLimits& limits, Header& header) {
  if (header.local_offset > bytes.size()) return Corrupt("an entry lies outside the file");
  ByteCursor cursor(bytes, static_cast<std::size_t>(header.local_offset));
  const auto signature = cursor.Number<std::uint32_t>();
  if (!signature) return Truncated();
  const bool replaced = limits.first_magic_replaced && header.local_offset == 0 &&
                        (*signature >> 16) == (kLocalHeader >> 16);
  if (*signature != kLocalHeader && !replaced) return Corrupt("an entry has no header");
  if (cursor.left() < 26) return Truncated();
  cursor.Take(22);
  const auto name_size = *cursor.Number<std::uint16_t>();
  const auto extra_size = *cursor.Number<std::uint16_t>();
  const auto name = cursor.Take(name_size);
  if (!name || !cursor.Take(extra_size)) return Truncated();
  if (!std::equal(name->begin(), name->end(), header.entry.name.begin(), header.entry.name.end()))
    return Corrupt("an entry has two names");
  const auto packed = cursor.Take(header.packed_size);
  if (!packed) return Truncated();
  header.entry.packed = *packed;
  return {};
}

Result<void> CheckSizes(const ZipEntry& entry, const ZipLimits& limits) {
  if (entry.size > limits.max_entry_bytes)
    return Fail(ErrorCode::kTooLarge, "zip_too_large",
                "an entry of the zip archive would unpack to {} bytes; the limit is {}", entry.size,
                limits.max_entry_bytes);
  if (!entry.deflated && entry.size != entry.packed.size())
    return Corrupt("a stored entry has two sizes");
  if (entry.deflated && entry.size / limits.max_ratio > entry.packed.size())
    return Fail(ErrorCode::kTooLarge, "zip_too_large",
                "an entry of the zip archive would unpack to more than {} times its size",
                limits.max_ratio);
  return {};
}

Result<std::vector<std::uint8_t>> Inflate(const ZipEntry& entry) {
  std::vector<std::uint8_t> out(entry.size);
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return Fail(ErrorCode::kInternal, "zlib_failed", "zlib could not start");
  std::size_t in_at = 0, out_at = 0;
  int status = Z_OK;
  // zlib counts in 32 bits: feed it in parts.
  constexpr std::size_t kPart = std::size_t{1} << 30;
  std::uint8_t spare = 0;  // zlib wants a place even for an empty entry
  do {
    const std::size_t in_part = std::min(kPart, entry.packed.size() - in_at);
    const std::size_t out_part = std::min(kPart, out.size() - out_at);
    stream.next_in = const_cast<std::uint8_t*>(entry.packed.data() + in_at);
    stream.avail_in = static_cast<uInt>(in_part);
    stream.next_out = out_part ? out.data() + out_at : &spare;
    stream.avail_out = static_cast<uInt>(out_part);
    status = inflate(&stream, Z_NO_FLUSH);
    in_at += in_part - stream.avail_in;
    out_at += out_part - stream.avail_out;
  } while (status == Z_OK && (in_at < entry.packed.size() || out_at < out.size()));
  inflateEnd(&stream);
  if (status != Z_STREAM_END || out_at != out.size())
    return Corrupt("an entry does not unpack to its stated size");
  return out;
}

}  // namespace

Result<ZipReader> ZipReader::Open(std::span<const std::uint8_t> bytes, const ZipLimits& limits) {
  TIMBRE_ASSIGN(const Directory directory, ReadEnd(bytes));
  if (directory.entries > limits.max_entries)
    return Fail(ErrorCode::kTooLarge, "zip_too_large",
                "the zip archive has {} entries; the limit is {}", directory.entries,
                limits.max_entries);
  if (directory.offset > bytes.size() || directory.size > bytes.size() - directory.offset)
    return Corrupt("its list of entries lies outside the file");
  ByteCursor cursor(bytes.subspan(directory.offset, directory.size));
  ZipReader reader;
  struct Range {
    const std::uint8_t* begin;
    const std::uint8_t* end;
  };
  std::vector<Range> ranges;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    TIMBRE_ASSIGN(Header header, ReadCentralHeader(cursor));
    TIMBRE_TRY(Locate(bytes, limits, header));
    TIMBRE_TRY(CheckSizes(header.entry, limits));
    const auto packed = header.entry.packed;
    ranges.push_back({bytes.data() + header.local_offset, packed.data() + packed.size()});
    if (!reader.index_.emplace(header.entry.name, reader.entries_.size()).second)
      return Corrupt("two entries have the same name");
    reader.entries_.push_back(std::move(header.entry));
  }
  std::ranges::sort(ranges, {}, &Range::begin);
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end) return Corrupt("two entries overlap");
  return reader;
}

const ZipEntry* ZipReader::Find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &entries_[found->second];
}

Result<std::vector<std::uint8_t>> ZipReader::Read(const ZipEntry& entry) const {
  std::vector<std::uint8_t> out;
  if (entry.deflated) {
    TIMBRE_ASSIGN(out, Inflate(entry));
  } else {
    out.assign(entry.packed.begin(), entry.packed.end());
  }
  if (crc32_z(crc32_z(0, nullptr, 0), out.data(), out.size()) != entry.crc)
    return Corrupt("the checksum of an entry is wrong");
  return out;
}

}  // namespace timbre
