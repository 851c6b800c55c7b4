// Damaged and hostile weight files: one clear error each, nothing run, nothing large allocated.
#include <gtest/gtest.h>

#include <fstream>

#include "nn/checkpoint.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temporary_folder.h"

namespace timbre::nn {
namespace {

using testing::HostilePickle;
using testing::PickleWriter;
using testing::SafetensorsBytes;
using testing::Storages;
using testing::ToBytes;
using testing::TorchLegacyBytes;
using testing::TorchZipBytes;

std::string Reason(std::string_view bytes, const CheckpointLimits& limits = {}) {
  const auto file = Checkpoint::Parse(ToBytes(bytes), limits);
  if (!file) return file.error().reason;
  for (const std::string& name : file->Names()) EXPECT_TRUE(file->Read(name));
  return "read";
}

const Storages kSixFloats = {{"0", std::string(24, '\0')}};

// {"w": a tensor over six floats}
std::string OneTensor(std::int64_t offset, const std::vector<std::int64_t>& shape,
                      const std::vector<std::int64_t>& strides, std::int64_t elements = 6) {
  return PickleWriter()
      .Mark()
      .String("w")
      .Tensor("FloatStorage", "0", elements, offset, shape, strides)
      .Dict()
      .Finish();
}

TEST(Cases, D20CodeInsideACheckpointIsRefused) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path marker = folder.path() / "marker";
  const std::string command = "mkdir '" + marker.string() + "'";
  for (const auto& [module, name] :
       {std::pair{"posix", "system"}, {"os", "system"}, {"builtins", "exec"}}) {
    const std::string pickle = HostilePickle(module, name, command);
    std::string with_version = TorchZipBytes(pickle, kSixFloats);
    with_version.replace(0, 2, "05");
    std::string in_keys = TorchLegacyBytes(OneTensor(0, {6}, {1}), {}, 4);
    in_keys.replace(in_keys.size() - PickleWriter().Mark().List().Finish().size(),
                    std::string::npos, pickle);
    const std::pair<const char*, std::string> files[] = {
        {"zip.pth", TorchZipBytes(pickle, kSixFloats)},
        {"packed.pth", TorchZipBytes(pickle, kSixFloats, true)},
        {"gpt-sovits.pth", with_version},
        {"legacy.pth", TorchLegacyBytes(pickle, kSixFloats, 4)},
        {"legacy-keys.pth", in_keys},
        {"bare.pth", pickle},
        {"protocol0.pth", fmt::format("c{}\n{}\n(S'{}'\ntR.", module, name, command)},
        {"protocol4.pth", fmt::format("\x80\x04\x8c{}{}\x8c{}{}\x93\x8c{}{}\x85R.",
                                      static_cast<char>(std::string_view(module).size()), module,
                                      static_cast<char>(std::string_view(name).size()), name,
                                      static_cast<char>(command.size()), command)},
    };
    for (const auto& [file_name, bytes] : files) {
      const auto path = folder.Write(file_name, bytes);
      const auto file = Checkpoint::Open(path);
      ASSERT_FALSE(file) << file_name;
      EXPECT_EQ(file.error().reason, "pickle_forbidden_global") << file_name;
      EXPECT_NE(file.error().message.find(fmt::format("{}.{}", module, name)), std::string::npos)
          << file.error().message;
      EXPECT_TRUE(file.error().message.starts_with(path.string())) << file.error().message;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(marker));
}

TEST(HostileCheckpoint, TensorsOutsideTheirStorage) {
  const auto reason = [](const std::string& pickle) {
    const std::string zip = Reason(TorchZipBytes(pickle, kSixFloats));
    EXPECT_EQ(Reason(TorchLegacyBytes(pickle, kSixFloats, 4)), zip);
    return zip;
  };
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_EQ(reason(OneTensor(0, {2, 3}, {3, 1})), "read");
  EXPECT_EQ(reason(OneTensor(0, {3, 2}, {1, 3})), "read");  // transposed
  EXPECT_EQ(reason(OneTensor(5, {4, 1}, {0, 1})), "read");  // repeated
  EXPECT_EQ(reason(OneTensor(9, {0, 5}, {5, 1})), "read");  // empty
  EXPECT_EQ(reason(OneTensor(0, {kHuge, kHuge, 0}, {1, 1, 1})), "read");
  EXPECT_EQ(reason(OneTensor(1, {2, 3}, {3, 1})), "tensor_outside_storage");
  EXPECT_EQ(reason(OneTensor(0, {2, 3}, {4, 1})), "tensor_outside_storage");
  EXPECT_EQ(reason(OneTensor(0, {7}, {1}, 7)), "tensor_outside_storage");
  EXPECT_EQ(reason(OneTensor(0, {kHuge, kHuge}, {1, 1})), "tensor_outside_storage");
  EXPECT_EQ(reason(OneTensor(0, {3}, {kHuge})), "tensor_outside_storage");
  EXPECT_EQ(reason(OneTensor(kHuge, {1}, {1})), "tensor_outside_storage");
  EXPECT_EQ(reason(OneTensor(-1, {1}, {1})), "tensor_bad_shape");
  EXPECT_EQ(reason(OneTensor(5, {6}, {-1})), "tensor_bad_shape");
  EXPECT_EQ(reason(OneTensor(0, {-2, -3}, {3, 1})), "tensor_bad_shape");
  EXPECT_EQ(reason(OneTensor(0, {2, 3}, {1})), "tensor_bad_shape");
  EXPECT_EQ(reason(OneTensor(0, {1 << 30}, {0})), "tensor_too_large");
  EXPECT_EQ(reason(OneTensor(0, {kHuge, kHuge}, {0, 0})), "tensor_outside_storage");
}

TEST(HostileCheckpoint, MissingAndWrongStorages) {
  EXPECT_EQ(Reason(TorchZipBytes(OneTensor(0, {6}, {1}), {})), "torch_storage_missing");
  EXPECT_EQ(Reason(TorchLegacyBytes(OneTensor(0, {6}, {1}), {}, 4)), "torch_storage_missing");
  EXPECT_EQ(Reason(TorchLegacyBytes(OneTensor(0, {6}, {1}), {{"1", "abcd"}}, 4)), "torch_corrupt");
  // A storage that says it has 2^61 elements.
  std::string huge = TorchLegacyBytes(OneTensor(0, {6}, {1}), kSixFloats, 4);
  huge[huge.size() - 24 - 1] = '\x20';
  EXPECT_EQ(Reason(huge), "torch_corrupt");
  EXPECT_EQ(Reason(testing::ZipBytes({{"readme.txt", "hello"}})), "torch_unsupported");
  EXPECT_EQ(Reason(testing::ZipBytes(
                {{"a/data.pkl", PickleWriter().None().Finish()}, {"a/byteorder", "big"}})),
            "torch_unsupported");
}

TEST(HostileCheckpoint, DeepAndEndlessNesting) {
  PickleWriter deep;
  for (int i = 0; i < 100'000; ++i) deep.Mark();
  deep.Tensor("FloatStorage", "0", 6, 0, {6}, {1});
  for (int i = 0; i < 100'000; ++i) deep.List();
  EXPECT_EQ(Reason(TorchZipBytes(deep.Finish(), kSixFloats)), "checkpoint_too_deep");
  // A list that contains itself.
  const std::string endless = PickleWriter().Raw(std::string("]q\0h\0a", 6)).Finish();
  EXPECT_EQ(Reason(TorchZipBytes(endless, kSixFloats)), "checkpoint_too_deep");
  // Forty lists, each holding the one before twice: 2^40 values to walk through.
  PickleWriter laughs;
  laughs.Mark().None().List();
  for (int i = 0; i < 40; ++i) laughs.Raw(std::string("q\0h\0\x86", 5));
  CheckpointLimits limits;
  limits.pickle.max_values = 10'000;
  EXPECT_EQ(Reason(TorchZipBytes(laughs.Finish(), kSixFloats), limits), "pickle_too_large");
}

TEST(HostileCheckpoint, SameNameTwice) {
  PickleWriter twice;
  twice.Mark();
  for (int i = 0; i < 2; ++i) twice.String("w").Tensor("FloatStorage", "0", 6, 0, {6}, {1});
  EXPECT_EQ(Reason(TorchZipBytes(twice.Dict().Finish(), kSixFloats)),
            "checkpoint_duplicate_tensor");
}

TEST(HostileCheckpoint, LargePickleInASmallZip) {
  PickleWriter large;
  large.String(std::string(1 << 20, ' '));
  EXPECT_EQ(Reason(TorchZipBytes(large.Finish(), kSixFloats, true)), "zip_too_large");
  CheckpointLimits limits;
  limits.max_pickle_bytes = 1000;
  EXPECT_EQ(Reason(TorchZipBytes(large.Finish(), kSixFloats), limits), "pickle_too_large");
}

TEST(HostileCheckpoint, Safetensors) {
  const auto reason = [](std::string_view header, std::string_view data = "12345678") {
    return Reason(SafetensorsBytes(header, data));
  };
  const std::string good = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_EQ(reason(good), "read");
  EXPECT_EQ(reason(R"({"a":{"dtype":"F32","shape":[0,4611686018427387904,4611686018427387904],)"
                   R"("data_offsets":[0,0]}})"),
            "read");
  EXPECT_EQ(reason(good, "1234567"), "safetensors_truncated");
  EXPECT_EQ(reason(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                   R"("b":{"dtype":"F32","shape":[1],"data_offsets":[3,7]}})"),
            "safetensors_corrupt");
  EXPECT_EQ(reason(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                   R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
            "safetensors_corrupt");
  for (const char* header :
       {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
        R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})",
        R"({"a":{"dtype":"F32","shape":[2]}})", R"({"a":{"dtype":"F32","shape":[2],"x":1}})",
        R"({"a":[1]})", R"({"a":{"a":{"a":{}}}})", R"({"__metadata__":{"a":1}})", R"({)",
        R"({} x)"})
    EXPECT_EQ(reason(header), "safetensors_corrupt") << header;
  EXPECT_EQ(reason(R"({"a":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}})"),
            "safetensors_unsupported_type");
  EXPECT_EQ(reason("{}"), "checkpoint_no_tensors");
  EXPECT_EQ(reason(R"({"a":)" + std::string(200'000, '[')), "safetensors_corrupt");
  EXPECT_EQ(reason(std::string(200'000, '{')), "safetensors_corrupt");
  EXPECT_EQ(Reason(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)), "safetensors_corrupt");
  EXPECT_EQ(Reason(std::string("\xff\x00\x00\x00\x00\x00\x00\x00{}", 10)), "safetensors_truncated");
}

TEST(HostileCheckpoint, NoWeightFileAtAll) {
  EXPECT_EQ(Reason(""), "checkpoint_unknown_format");
  EXPECT_EQ(Reason("x"), "checkpoint_unknown_format");
  EXPECT_EQ(Reason("RIFF....WAVEfmt "), "checkpoint_unknown_format");
  EXPECT_EQ(Reason("version https://git-lfs.github.com/spec/v1\n"), "checkpoint_unknown_format");
  EXPECT_EQ(Reason(PickleWriter().Mark().String("step").Int(1).Dict().Finish()),
            "checkpoint_no_tensors");
  EXPECT_EQ(Checkpoint::Open("/no/such/file.pt").error().reason, "file_not_found");
  EXPECT_EQ(Checkpoint::Open(TIMBRE_SOURCE_DIR).error().reason, "not_a_file");
}

// Cut at every byte: an error or, where only what nobody needs is missing, the same tensor.
TEST(HostileCheckpoint, TruncatedAnywhere) {
  const std::string pickle = OneTensor(0, {2, 3}, {3, 1});
  for (const std::string& whole :
       {TorchZipBytes(pickle, kSixFloats), TorchZipBytes(pickle, kSixFloats, true),
        TorchLegacyBytes(pickle, kSixFloats, 4),
        SafetensorsBytes(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                         "12345678")}) {
    ASSERT_EQ(Reason(whole), "read");
    for (std::size_t size = 0; size < whole.size(); ++size)
      ASSERT_NE(Reason(whole.substr(0, size)), "read") << size << " of " << whole.size();
  }
}

}  // namespace
}  // namespace timbre::nn
