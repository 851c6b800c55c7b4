#include "models/checkpoint_kind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/checkpoint_writer.h"
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

// A PyTorch file of tensors with these shapes, all of one repeated number, below "weight".
std::string KindOf(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors,
                   std::string_view first_bytes = "PK") {
  testing::PickleWriter pickle;
  pickle.Mark().String("weight").Mark();
  for (const auto& [name, shape] : tensors) {
    const std::vector<std::int64_t> strides(shape.size(), 0);
    pickle.String(name).Tensor("FloatStorage", "0", 1, 0, shape, strides);
  }
  std::string bytes =
      testing::TorchZipBytes(pickle.Dict().Dict().Finish(), {{"0", std::string(4, '\0')}});
  bytes.replace(0, 2, first_bytes);
  const auto file = nn::Checkpoint::Parse(testing::ToBytes(bytes));
  if (!file) throw std::runtime_error(file.error().message);
  const auto summary = SummarizeCheckpoint(*file);
  return std::string(CheckpointKindName(summary.kind)) + ":" + summary.variant;
}

TEST(CheckpointKind, TellsVersionsByShapes) {
  const auto hifigan = [](std::int64_t channels, const char* block,
                          const std::vector<std::int64_t>& kernels) {
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tensors = {
        {"conv_pre.weight_v", {channels, 80, 7}},
        {"conv_post.weight_v", {1, 32, 7}},
        {std::string("resblocks.0.") + block + ".0.weight_v", {channels / 2, channels / 2, 3}}};
    for (std::size_t i = 0; i < kernels.size(); ++i)
      tensors.push_back({"ups." + std::to_string(i) + ".weight_v",
                         {channels >> i, channels >> (i + 1), kernels[i]}});
    return KindOf(tensors);
  };
  EXPECT_EQ(hifigan(128, "convs1", {16, 16, 4, 4}), "hifigan:v2");
  EXPECT_EQ(hifigan(256, "convs", {16, 16, 8}), "hifigan:v3");
  EXPECT_EQ(hifigan(64, "convs1", {16, 16, 4, 4}), "hifigan:other sizes");

  EXPECT_EQ(KindOf({{"encoder.embedding.weight", {75, 512}},
                    {"encoder_proj.weight", {128, 1024}},
                    {"post_proj.weight", {80, 512}},
                    {"gst.stl.embed", {10, 64}}}),
            "mockingbird_synthesizer:");
  for (const auto& [rows, version] : {std::pair{512, "v1"}, {732, "v2"}})
    EXPECT_EQ(KindOf({{"model.ar_text_embedding.word_embeddings.weight", {rows, 512}},
                      {"model.ar_text_position.alpha", {1}},
                      {"model.ar_predict_layer.weight", {1025, 512}}}),
              std::string("gpt_sovits_t2s:") + version);
  const auto text = [](std::int64_t rows) {
    return std::pair<std::string, std::vector<std::int64_t>>("enc_p.text_embedding.weight",
                                                             {rows, 192});
  };
  EXPECT_EQ(KindOf({text(322)}), "gpt_sovits_decoder:v1");
  EXPECT_EQ(KindOf({text(732)}), "gpt_sovits_decoder:v2");
  EXPECT_EQ(
      KindOf({text(732), {"sv_emb.weight", {1024, 20}}, {"dec.conv_pre.weight", {512, 9, 7}}}),
      "gpt_sovits_decoder:v2Pro");
  EXPECT_EQ(
      KindOf({text(732), {"sv_emb.weight", {1024, 20}}, {"dec.conv_pre.weight", {768, 9, 7}}}),
      "gpt_sovits_decoder:v2ProPlus");
  EXPECT_EQ(KindOf({text(732)}, "05"), "gpt_sovits_decoder:v2Pro");
  EXPECT_EQ(KindOf({{"something.else", {3}}}), "unknown:");
}

}  // namespace
}  // namespace timbre::models
