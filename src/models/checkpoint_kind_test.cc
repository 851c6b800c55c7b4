#include "models/checkpoint_kind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/golden.h"

namespace timbre::models {
namespace {

CheckpointSummary Summarize(const std::filesystem::path& path) {
  const auto file = nn::Checkpoint::Open(path);
  if (!file) throw std::runtime_error(file.error().message);
  return SummarizeCheckpoint(*file);
}

std::string Value(const CheckpointSummary& summary, std::string_view name) {
  for (const auto& [key, text] : summary.values)
    if (key == name) return text;
  return "(none)";
}

TEST(CheckpointKind, TellsTheRealFiles) {
  const std::filesystem::path weights = TIMBRE_THIRD_PARTY_DIR "/weights";
  const auto encoder = Summarize(weights / "ge2e/pretrained.pt");
  EXPECT_STREQ(CheckpointKindName(encoder.kind), "ge2e_encoder");
  EXPECT_EQ(encoder.container, "PyTorch legacy");
  EXPECT_EQ(encoder.version, "1001");
  EXPECT_EQ(encoder.parameters, 1'423'618);
  EXPECT_EQ(Value(encoder, "step"), "1564501");
  EXPECT_EQ(encoder.tensors.size(), 16u);

  const auto vocoder = Summarize(weights / "hifigan-universal-v1/generator_universal.pth.tar");
  EXPECT_EQ(vocoder.kind, CheckpointKind::kHifigan);
  EXPECT_EQ(vocoder.variant, "v1");

  const auto ours = Summarize(TIMBRE_SOURCE_DIR "/models/default/nat.safetensors");
  EXPECT_EQ(ours.kind, CheckpointKind::kNatSynthesizer);
}

TEST(CheckpointKind, TellsTheGoldenFiles) {
  const auto kind = [](std::string_view name) {
    const auto summary = Summarize(testing::GoldenPath(name));
    return std::string(CheckpointKindName(summary.kind)) + ":" + summary.variant;
  };
  EXPECT_EQ(kind("sv2tts/rtvc/small_legacy.pt"), "rtvc_synthesizer:");
  EXPECT_EQ(kind("sv2tts/nvtaco2/small.pt"), "nvidia_tacotron2:");
  EXPECT_EQ(kind("sv2tts/wavernn/small_raw10.pt"), "wavernn:raw 10 bits");
  EXPECT_EQ(kind("sv2tts/wavernn/small_mol.pt"), "wavernn:mol");
  EXPECT_EQ(kind("sv2tts/mockingbird/hifigan_small_config_16k_.pt"), "hifigan:MockingBird 16 kHz");
  EXPECT_EQ(Value(Summarize(testing::GoldenPath("sv2tts/rtvc/small.pt")), "decoder.r"), "2");
}

}  // namespace
}  // namespace timbre::models
