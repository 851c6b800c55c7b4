#include "nn/checkpoint.h"

#include <gtest/gtest.h>

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

TEST(Checkpoint, ReadsEveryGoldenCheckpoint) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::GoldenPath(""))) {
    if (entry.path().extension() != ".pt") continue;
    const auto file = Checkpoint::Open(entry.path());
    ASSERT_TRUE(file) << file.error().message;
    for (const std::string& name : file->Names()) EXPECT_TRUE(file->Read(name)) << name;
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
