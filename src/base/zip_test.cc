#include "base/zip.h"

#include <gtest/gtest.h>

#include "tests/support/checkpoint_writer.h"

namespace timbre {
namespace {

using testing::ToBytes;
using testing::ZipBytes;

std::string OpenReason(std::string_view archive, const ZipLimits& limits = {}) {
  const auto bytes = ToBytes(archive);
  const auto zip = ZipReader::Open(bytes, limits);
  return zip ? "read" : zip.error().reason;
}

// Writes a little-endian number into an archive.
template <typename T>
std::string With(const std::string& archive, std::size_t at, T value) {
  std::string changed = archive;
  const std::string number(reinterpret_cast<const char*>(&value), sizeof(T));
  for (std::size_t i = 0; i < number.size(); ++i) changed.at(at + i) = number[i];
  return changed;
}

TEST(Zip, ReadsStoredAndDeflatedEntries) {
  const std::string text(1000, 'x');
  const auto bytes = ToBytes(ZipBytes({{"a/b", "hello"}, {"c", text, true}, {"d/", ""}}));
  const auto zip = ZipReader::Open(bytes);
  ASSERT_TRUE(zip) << zip.error().message;
  EXPECT_EQ(zip->entries().size(), 3u);
  EXPECT_EQ(zip->Find("missing"), nullptr);
  EXPECT_EQ(zip->Read(*zip->Find("a/b")).value(), ToBytes("hello"));
  EXPECT_EQ(zip->Read(*zip->Find("c")).value(), ToBytes(text));
}

TEST(Zip, ReadsThroughReplacedFirstBytesOnlyWhenAsked) {
  std::string archive = ZipBytes({{"a", "hello"}});
  archive.replace(0, 2, "05");
  EXPECT_EQ(OpenReason(archive), "zip_corrupt");
  EXPECT_EQ(OpenReason(archive, {.first_magic_replaced = true}), "read");
}

TEST(Zip, RefusesTricks) {
  EXPECT_EQ(OpenReason(""), "zip_truncated");
  for (const char* name : {"../a", "a/../../b", "/etc/passwd", "a\\..\\b", ""})
    EXPECT_EQ(OpenReason(ZipBytes({{name, "x"}})), "zip_bad_name") << name;
  EXPECT_EQ(OpenReason(ZipBytes({{std::string("a\0b", 3), "x"}})), "zip_bad_name");
  EXPECT_EQ(OpenReason(ZipBytes({{"a", "1"}, {"a", "2"}})), "zip_corrupt");
  EXPECT_EQ(OpenReason(ZipBytes({{"a", "1"}, {"b", "2"}}), {.max_entries = 1}), "zip_too_large");
  EXPECT_EQ(OpenReason(ZipBytes({{"bomb", std::string(1 << 20, '\0'), true}})), "zip_too_large");
  EXPECT_EQ(OpenReason(ZipBytes({{"a", "12345"}}), {.max_entry_bytes = 4}), "zip_too_large");
}

TEST(Zip, RefusesWrongNumbers) {
  // "PK\3\4" 30 bytes, "a", "hello"; central header at 36; end record at 36 + 47.
  const std::string archive = ZipBytes({{"a", "hello"}});
  constexpr std::size_t kCentral = 36, kEnd = 83;
  ASSERT_EQ(archive.size(), kEnd + 22);
  EXPECT_EQ(OpenReason(With<std::uint16_t>(archive, kCentral + 8, 1)), "zip_unsupported");
  EXPECT_EQ(OpenReason(With<std::uint16_t>(archive, kCentral + 10, 9)), "zip_unsupported");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, kCentral + 20, 500)), "zip_truncated");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, kCentral + 24, 6)), "zip_corrupt");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, kCentral + 42, 7)), "zip_corrupt");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, kCentral + 42, 0xffffffff)), "zip_corrupt");
  EXPECT_EQ(OpenReason(With<std::uint16_t>(archive, kEnd + 10, 2)), "zip_truncated");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, kEnd + 16, 5000)), "zip_corrupt");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, kEnd + 16, 0xffffffff)), "zip_corrupt");
  const auto bad_data = ToBytes(With<std::uint8_t>(archive, 31, 'j'));
  const auto zip = ZipReader::Open(bad_data);
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->Read(zip->entries()[0]).error().reason, "zip_corrupt");
}

TEST(Zip, RefusesOverlap) {
  // The first entry's data are a whole entry "b", to which the second directory row points.
  const std::string inner = ZipBytes({{"b", "x"}}).substr(0, 32);
  const std::string archive = ZipBytes({{"a", inner}, {"b", "x"}});
  const std::size_t second_row = (31 + inner.size()) + 32 + 47;
  EXPECT_EQ(OpenReason(archive), "read");
  EXPECT_EQ(OpenReason(With<std::uint32_t>(archive, second_row + 42, 31)), "zip_corrupt");
}

TEST(Zip, TruncatedAnywhere) {
  const std::string archive = ZipBytes({{"a", "hello"}, {"b", std::string(50, 'y'), true}});
  for (std::size_t size = 0; size < archive.size(); ++size)
    EXPECT_NE(OpenReason(archive.substr(0, size)), "read") << size;
}

}  // namespace
}  // namespace timbre
