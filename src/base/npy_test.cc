#include "base/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/float16.h"

namespace timbre {
namespace {

std::vector<std::uint8_t> Bytes(std::string_view header, std::string_view values) {
  std::string text = "\x93NUMPY";
  text += std::string("\x01\x00", 2);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text += values;
  return {text.begin(), text.end()};
}

TEST(Npy, ReadsTypesAndOrders) {
  const std::string two_shorts("\x05\x00\xff\xff", 4);
  const auto shorts =
      ParseNpy(Bytes("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n", two_shorts));
  ASSERT_TRUE(shorts) << shorts.error().message;
  EXPECT_EQ(shorts->ToInt64().value(), (std::vector<std::int64_t>{5, -1}));
  EXPECT_EQ(shorts->ToFloat(), (std::vector<float>{5, -1}));

  // Columns (0 1) (2 3) (4 5) of a [2, 3] array.
  const std::string columns("\0\1\2\3\4\5", 6);
  const auto fortran =
      ParseNpy(Bytes("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", columns));
  ASSERT_TRUE(fortran) << fortran.error().message;
  EXPECT_EQ(fortran->ToInt64().value(), (std::vector<std::int64_t>{0, 2, 4, 1, 3, 5}));

  const auto empty =
      ParseNpy(Bytes("{'descr': '|u1', 'fortran_order': True, "
                     "'shape': (0, 4611686018427387904, 4611686018427387904)}",
                     ""));
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(empty->size(), 0);

  const std::string half("\x00\x3c", 2);
  const auto scalar =
      ParseNpy(Bytes("{'descr': '<f2', 'fortran_order': False, 'shape': ()}", half));
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_EQ(scalar->ToFloat(), std::vector<float>{1.0f});
  EXPECT_EQ(scalar->ToInt64().error().reason, "npy_wrong_type");
}

TEST(Npy, HalfFloatsOfEveryKind) {
  EXPECT_EQ(HalfToFloat(0x0000), 0.0f);
  EXPECT_TRUE(std::signbit(HalfToFloat(0x8000)));
  EXPECT_EQ(HalfToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(HalfToFloat(0x83ff), -1023 * 0x1p-24f);
  EXPECT_EQ(HalfToFloat(0x0400), 0x1p-14f);
  EXPECT_EQ(HalfToFloat(0xc500), -5.0f);
  EXPECT_EQ(HalfToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(HalfToFloat(0x7c00), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(HalfToFloat(0x7e00)));
  EXPECT_EQ(BFloat16ToFloat(0x3fc0), 1.5f);
}

TEST(Npy, RefusesWhatDoesNotFit) {
  const auto reason = [](std::string_view header, std::string_view values) {
    const auto array = ParseNpy(Bytes(header, values));
    return array ? std::string("read") : array.error().reason;
  };
  EXPECT_EQ(reason("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "12345678"),
            "npy_unsupported_type");
  EXPECT_EQ(reason("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", "1234"),
            "npy_unsupported_type");
  EXPECT_EQ(reason("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234"),
            "npy_corrupt");
  EXPECT_EQ(reason("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "1234"),
            "npy_corrupt");
  EXPECT_EQ(reason("{'descr': '<f4', 'fortran_order': False, "
                   "'shape': (9223372036854775807, 9223372036854775807)}",
                   "1234"),
            "npy_corrupt");
  EXPECT_EQ(reason("{'descr': '<f4', 'fortran_order': False}", "1234"), "npy_corrupt");
  EXPECT_EQ(reason("{'descr': '<f4', 'fortran_order': False, 'shape': (1", ""), "npy_corrupt");
  const auto whole = Bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "1234");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ParseNpy(std::span(whole).first(size))) << size;
}

TEST(Npy, ReadsARealNpz) {
  const auto arrays = ReadNpz(TIMBRE_THIRD_PARTY_DIR "/dictionaries/g2p_en/checkpoint20.npz");
  ASSERT_TRUE(arrays) << arrays.error().message;
  ASSERT_EQ(arrays->size(), 12u);
  const NpyArray& weights = arrays->at("fc_w");
  EXPECT_EQ(weights.shape, (std::vector<std::int64_t>{74, 256}));
  EXPECT_EQ(weights.ToFloat().size(), 74u * 256);
  EXPECT_EQ(ReadNpz("/no/such/file.npz").error().reason, "file_not_found");
  EXPECT_EQ(ReadNpy(TIMBRE_SOURCE_DIR "/src").error().reason, "not_a_file");
}

}  // namespace
}  // namespace timbre
