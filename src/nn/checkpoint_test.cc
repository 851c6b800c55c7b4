#include "nn/checkpoint.h"

#include <gtest/gtest.h>

#include "tests/support/checkpoint_writer.h"
#include "tests/support/golden.h"

namespace timbre::nn {
namespace {

const std::filesystem::path kThirdParty = TIMBRE_THIRD_PARTY_DIR;

TEST(Checkpoint, ReadsTheRealEncoderOfTheOldFormat) {
  const auto file = Checkpoint::Open(kThirdParty / "weights/ge2e/pretrained.pt");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->container(), Checkpoint::Container::kTorchLegacy);
  EXPECT_EQ(file->format_version(), "1001");
  EXPECT_EQ(file->state_path(), "model_state");
  EXPECT_EQ(file->Integer("step"), 1'564'501);
  EXPECT_EQ(file->Names().size(), 16u);
  EXPECT_EQ(file->Shape("lstm.weight_ih_l0"), (std::vector<std::int64_t>{1024, 40}));
  // The optimizer's settings are values like any other; its tensors are not listed.
  EXPECT_EQ(file->tensors().size(), 16u);
  const PickleValue* groups = file->root().At({"optimizer_state", "param_groups"});
  ASSERT_TRUE(groups && groups->items.size() == 1);
  EXPECT_EQ(groups->items[0]->Find("lr")->AsNumber(), 0.0001);
}

TEST(Checkpoint, ReadsTheRealVocoderOfTheOldFormat) {
  const auto file =
      Checkpoint::Open(kThirdParty / "weights/hifigan-universal-v1/generator_universal.pth.tar");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->container(), Checkpoint::Container::kTorchLegacy);
  EXPECT_EQ(file->state_path(), "generator");
  EXPECT_EQ(file->Names().size(), 234u);
  WeightReader reader(*file);
  const Weight weight = reader.TakeWeightNorm("conv_pre", {512, 80, 7});
  ASSERT_TRUE(reader.status()) << reader.status().error().message;
  // Each output channel's norm is its gain.
  const Weight gain = reader.Take("conv_pre.weight_g", {512, 1, 1});
  for (std::int64_t r : {0, 100, 511}) {
    double squares = 0;
    for (std::int64_t c = 0; c < 560; ++c)
      squares += double{weight.values[r * 560 + c]} * weight.values[r * 560 + c];
    EXPECT_NEAR(std::sqrt(squares), gain.values[r], 1e-5);
  }
}

TEST(Checkpoint, ZipAndOldFormatHoldTheSame) {
  const auto zip = Checkpoint::Open(testing::GoldenPath("sv2tts/rtvc/small.pt"));
  const auto old = Checkpoint::Open(testing::GoldenPath("sv2tts/rtvc/small_legacy.pt"));
  ASSERT_TRUE(zip) << zip.error().message;
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(zip->container(), Checkpoint::Container::kTorchZip);
  EXPECT_EQ(zip->format_version(), "3");
  EXPECT_EQ(zip->Names(), old->Names());
  EXPECT_EQ(zip->Names().size(), 170u);
  EXPECT_EQ(zip->Integer("decoder.r"), 2);
  for (const std::string& name : zip->Names()) {
    EXPECT_EQ(zip->Shape(name), old->Shape(name)) << name;
    EXPECT_EQ(zip->Read(name)->values, old->Read(name)->values) << name;
  }
}

using testing::PickleWriter;
using testing::Storages;
using testing::ToBytes;
using testing::TorchZipBytes;

TEST(Checkpoint, MaterialisesStridesTypesAndSharedStorages) {
  const Storages storages = {
      {"f", testing::PackedValues({0, 1, 2, 3, 4, 5}, DType::kF32)},
      {"h", testing::PackedValues({0.5f, -2}, DType::kF16)},
      {"b", testing::PackedValues({1.5f, -3}, DType::kBF16)},
      {"i", std::string("\xfe\xff\xff\xff\xff\xff\xff\xff", 8)},
      {"s", std::string("\xff\xff", 2)},
      {"t", std::string("\x00\x02", 2)},
  };
  PickleWriter pickle;
  pickle.Mark();
  pickle.String("whole").Tensor("FloatStorage", "f", 6, 0, {2, 3}, {3, 1});
  pickle.String("transposed").Tensor("FloatStorage", "f", 6, 0, {3, 2}, {1, 3});
  pickle.String("column").Tensor("FloatStorage", "f", 6, 1, {2}, {3});
  pickle.String("repeated").Tensor("FloatStorage", "f", 6, 5, {2, 2}, {0, 0});
  pickle.String("number").Tensor("FloatStorage", "f", 6, 4, {}, {});
  pickle.String("empty").Tensor("FloatStorage", "f", 6, 0, {0, 3}, {3, 1});
  pickle.String("half").Tensor("HalfStorage", "h", 2, 0, {2}, {1});
  pickle.String("bfloat").Tensor("BFloat16Storage", "b", 2, 0, {2}, {1});
  pickle.String("long").Tensor("LongStorage", "i", 1, 0, {1}, {1});
  pickle.String("short").Tensor("ShortStorage", "s", 1, 0, {1}, {1});
  pickle.String("bool").Tensor("BoolStorage", "t", 2, 0, {2}, {1});
  const std::string program = pickle.Dict().Finish();
  for (const bool deflate : {false, true}) {
    const auto file = Checkpoint::Parse(ToBytes(TorchZipBytes(program, storages, deflate)));
    ASSERT_TRUE(file) << file.error().message;
    const auto values = [&](std::string_view name) { return file->Read(name).value().values; };
    EXPECT_EQ(values("whole"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(values("transposed"), (std::vector<float>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(values("column"), (std::vector<float>{1, 4}));
    EXPECT_EQ(values("repeated"), (std::vector<float>{5, 5, 5, 5}));
    EXPECT_EQ(values("number"), std::vector<float>{4});
    EXPECT_EQ(values("empty"), std::vector<float>());
    EXPECT_EQ(values("half"), (std::vector<float>{0.5f, -2}));
    EXPECT_EQ(values("bfloat"), (std::vector<float>{1.5f, -3}));
    EXPECT_EQ(values("long"), std::vector<float>{-2});
    EXPECT_EQ(values("short"), std::vector<float>{-1});
    EXPECT_EQ(values("bool"), (std::vector<float>{0, 1}));
    EXPECT_EQ(file->Integer("long"), -2);
  }
}

TEST(Checkpoint, FindsTheStateDictionary) {
  const Storages storages = {{"0", std::string(24, '\0')}};
  const auto weight = [](PickleWriter& writer, std::string_view name) {
    writer.String(name).Tensor("FloatStorage", "0", 6, 0, {6}, {1});
  };
  // A GPT-SoVITS file: version digits, the dictionary under "weight", its configuration beside.
  PickleWriter pickle;
  pickle.Mark().String("weight").Mark();
  weight(pickle, "module.a");
  weight(pickle, "module.b");
  pickle.Dict().String("config").Mark().String("model").Mark();
  pickle.String("hidden_dim").Int(512).Dict().Dict().String("ema").Mark();
  weight(pickle, "a");
  pickle.Dict().String("optimizer").Mark();
  weight(pickle, "moment");
  std::string bytes = TorchZipBytes(pickle.Dict().Dict().Finish(), storages);
  bytes.replace(0, 2, "06");
  auto file = Checkpoint::Parse(ToBytes(bytes));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->replaced_magic(), "06");
  EXPECT_EQ(file->state_path(), "weight");
  EXPECT_EQ(file->Names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(file->root().At({"config", "model", "hidden_dim"})->AsInt(), 512);
  EXPECT_EQ(file->tensors().size(), 3u);  // without the optimizer's
  EXPECT_EQ(file->SelectState("nothing").error().reason, "checkpoint_no_tensors");
  ASSERT_TRUE(file->SelectState("ema"));
  EXPECT_EQ(file->Names(), std::vector<std::string>{"a"});
  EXPECT_EQ(file->Read("b").error().reason, "weight_missing");
  const Checkpoint moved = *std::move(file);
  EXPECT_EQ(moved.Read("a")->size(), 6);

  PickleWriter plain;
  plain.Mark();
  weight(plain, "model.a");
  const auto root = Checkpoint::Parse(ToBytes(TorchZipBytes(plain.Dict().Finish(), storages)));
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->state_path(), "");
  EXPECT_EQ(root->Names(), std::vector<std::string>{"model.a"});
}

TEST(Checkpoint, ReadsEveryGoldenCheckpoint) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::GoldenPath(""))) {
    if (entry.path().extension() != ".pt") continue;
    const auto file = Checkpoint::Open(entry.path());
    ASSERT_TRUE(file) << file.error().message;
    for (const std::string& name : file->Names()) EXPECT_TRUE(file->Read(name)) << name;
  }
}

TEST(Checkpoint, FuzzSeedsAreWholeFiles) {
  const std::filesystem::path corpus = TIMBRE_SOURCE_DIR "/tests/fuzz/corpus/checkpoint_fuzz";
  for (const char* name : {"torch_zip.pt", "torch_zip_deflated.pt", "torch_zip_gpt_sovits.pth",
                           "torch_legacy.pt", "plain.safetensors"}) {
    const auto file = Checkpoint::Open(corpus / name);
    EXPECT_TRUE(file) << file.error().message;
  }
}

TEST(Checkpoint, ReadsTheDefaultModel) {
  const auto file = Checkpoint::Open(TIMBRE_SOURCE_DIR "/models/default/nat.safetensors");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->container(), Checkpoint::Container::kSafetensors);
  for (const std::string& name : file->Names()) {
    const auto weight = file->Read(name);
    ASSERT_TRUE(weight);
    for (const float value : weight->values) ASSERT_TRUE(std::isfinite(value)) << name;
  }
}

}  // namespace
}  // namespace timbre::nn
