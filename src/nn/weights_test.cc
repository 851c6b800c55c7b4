#include "nn/weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/checkpoint.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temporary_folder.h"

namespace timbre::nn {
namespace {

using testing::NamedTensor;
using testing::StateDictBytes;
using testing::ToBytes;

Checkpoint Load(const std::vector<NamedTensor>& tensors, DType type = DType::kF32) {
  return Checkpoint::Parse(ToBytes(StateDictBytes(tensors, type))).value();
}

TEST(WeightReader, ReadsAndLatchesTheFirstError) {
  const Checkpoint file = Load({{"a.b.weight", {2, 3}, {1, 2, 3, 4, 5, 6}}});
  WeightReader root(file);
  WeightReader child = root.Child("a").Child("b");
  EXPECT_TRUE(child.Has("weight"));
  EXPECT_EQ(child.Take("weight", {-1, 3}).values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(WeightReader(file, "a.b").Take("weight", {2, 3}).dim(0), 2);
  EXPECT_TRUE(root.status());
  const Weight missing = child.Take("bias", {4, -1});
  EXPECT_EQ(missing.values, std::vector<float>(4, 0.0f));
  child.Take("weight", {3, 2});
  EXPECT_EQ(root.status().error().reason, "weight_missing");
  EXPECT_NE(root.status().error().message.find("\"a.b.bias\""), std::string::npos);
}

TEST(WeightReader, FoldsWeightNormInBothSpellings) {
  const NamedTensor gain{"", {2, 1, 1}, {2, 10}};
  const NamedTensor direction{"", {2, 1, 2}, {3, 4, 0, 0}};
  const auto named = [](NamedTensor tensor, std::string name) {
    tensor.name = std::move(name);
    return tensor;
  };
  for (const bool old : {true, false}) {
    const std::string weight = "conv." + std::string(old ? "weight" : "parametrizations.weight.");
    const Checkpoint file = Load({named(gain, weight + (old ? "_g" : "original0")),
                                  named(direction, weight + (old ? "_v" : "original1"))});
    WeightReader reader(file);
    const Weight folded = reader.TakeWeightNorm("conv", {2, 1, 2});
    ASSERT_TRUE(reader.status()) << reader.status().error().message;
    EXPECT_EQ(folded.shape, (std::vector<std::int64_t>{2, 1, 2}));
    EXPECT_NEAR(folded.values[0], 1.2f, 1e-6);
    EXPECT_NEAR(folded.values[1], 1.6f, 1e-6);
    EXPECT_EQ(folded.values[2], 0.0f);  // a direction of zeros gives no not-a-number
  }
  const Checkpoint plain = Load({named(direction, "conv.weight")});
  EXPECT_EQ(WeightReader(plain).TakeWeightNorm("conv", {2, 1, 2}).values, direction.values);
  const Checkpoint wrong =
      Load({named({"", {3}, {1, 2, 3}}, "conv.weight_g"), named(direction, "conv.weight_v")});
  WeightReader reader(wrong);
  reader.TakeWeightNorm("conv", {2, 1, 2});
  EXPECT_EQ(reader.status().error().reason, "weight_shape");
}

TEST(Cases, D21ShapeMismatchNamesTensorShapesAndCause) {
  const Checkpoint file =
      Load({{"encoder.embedding.weight", {70, 512}, std::vector<float>(70 * 512)}});
  WeightReader reader(file);
  reader.Child("encoder").Take("embedding.weight", {75, 512},
                               "the checkpoint is for another symbol set or version");
  ASSERT_FALSE(reader.status());
  EXPECT_EQ(reader.status().error().reason, "weight_shape");
  EXPECT_EQ(reader.status().error().message,
            "tensor \"encoder.embedding.weight\" has shape [70, 512]; expected [75, 512]; likely "
            "cause: the checkpoint is for another symbol set or version");
}

TEST(Cases, D22PathCharactersAndHalfPrecision) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        static_cast<float>(std::sin(0.37 * static_cast<double>(i)) * std::pow(10, i % 7) * 1e-5);
  const testing::TemporaryFolder folder;
  const std::filesystem::path place = "模型 v2 (测试)/声音é/";
  const std::vector<NamedTensor> tensors = {{"w", {10, 100}, values}};
  for (const DType type : {DType::kF32, DType::kF16, DType::kBF16}) {
    const auto path = folder.Write(place / "weights.safetensors", StateDictBytes(tensors, type));
    const auto file = Checkpoint::Open(path);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->Find("w")->dtype, type);
    const Weight read = file->Read("w").value();
    double error = 0, power = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_TRUE(std::isfinite(read.values[i]));
      error += std::pow(double{read.values[i]} - values[i], 2);
      power += std::pow(double{values[i]}, 2);
    }
    EXPECT_LE(std::sqrt(error / power), type == DType::kF32 ? 0.0 : 0.01) << DTypeName(type);
  }
  // The path comes back unharmed.
  const auto path = folder.Write(place / "broken.pth", std::string_view("nonsense"));
  const auto broken = Checkpoint::Open(path);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("模型 v2 (测试)/声音é/broken.pth"), std::string::npos)
      << broken.error().message;
}

}  // namespace
}  // namespace timbre::nn
