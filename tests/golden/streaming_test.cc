// Decoder steps -> postnet -> vocoder, all streamed, against the same utterance as a whole: the
// same samples, and no chunk border that stands out.
#include <gtest/gtest.h>

#include "audio/join.h"
#include "models/hifigan/hifigan.h"
#include "models/sv2tts/nat_synthesizer.h"
#include "nn/checkpoint.h"
#include "tests/support/golden.h"

namespace timbre::models {
namespace {

using testing::GoldenIntegers;
using testing::GoldenPath;
using testing::GoldenVector;

TEST(Streaming, SynthesizerAndVocoderInChunksEqualTheWhole) {
  const auto nat_file = nn::Checkpoint::Open(GoldenPath("nat_small/nat.safetensors"));
  ASSERT_TRUE(nat_file) << nat_file.error().message;
  const auto nat_config = ReadNatConfig(GoldenPath("nat_small/nat.json"));
  ASSERT_TRUE(nat_config) << nat_config.error().message;
  const auto synthesizer =
      NatSynthesizer::Load(nn::WeightReader(*nat_file), *nat_config, nn::Precision::kF32).value();

  const auto vocoder_file = nn::Checkpoint::Open(GoldenPath("sv2tts/hifigan/small_v1.g.pth"));
  ASSERT_TRUE(vocoder_file) << vocoder_file.error().message;
  const auto vocoder_config =
      ReadHifiGanConfig(GoldenPath("sv2tts/hifigan/small_v1.config.json")).value();
  const auto vocoder =
      HifiGan::Load(nn::WeightReader(*vocoder_file), vocoder_config, nn::Precision::kF32).value();
  ASSERT_TRUE(CheckFits(nat_config->mel, vocoder_config.mel));

  std::vector<std::int32_t> ids;
  for (const std::int64_t id : GoldenIntegers("nat_small/ids.npy")) {
    ids.push_back(static_cast<std::int32_t>(id));
  }
  const auto encoding = synthesizer->Encode(ids, GoldenVector("nat_small/speaker.npy")).value();
  const auto durations = NatSynthesizer::Durations(encoding.log_durations, {}, 1.0f, nullptr);

  // Streamed: the first chunk of 3 frames, then 7.
  NatDecoderState state = synthesizer->Start(encoding, durations, 5);
  NatDecoderState* const states[] = {&state};
  NatSynthesizer::PostnetState postnet;
  HifiGan::Stream stream(*vocoder);
  nn::Tensor frame, frames, chunk, mel;
  std::vector<float> streamed;
  std::vector<std::size_t> borders;
  while (!state.finished()) {
    synthesizer->Step(states, frame);
    frames.AppendRows(frame);
    chunk.AppendRows(frame);
    if (chunk.rows() < (frames.rows() <= 3 ? 3 : 7) && !state.finished()) continue;
    synthesizer->Postnet(postnet, chunk, state.finished(), mel);
    stream.Push(mel, state.finished(), streamed);
    borders.push_back(streamed.size());
    chunk.Reshape(0, frame.cols());
  }

  // Whole.
  NatSynthesizer::PostnetState whole_postnet;
  synthesizer->Postnet(whole_postnet, frames, true, mel);
  ASSERT_EQ(mel.rows(), frames.rows());
  const std::vector<float> whole = vocoder->Forward(mel);

  ASSERT_EQ(streamed.size(), whole.size());
  ASSERT_EQ(whole.size(), static_cast<std::size_t>(frames.rows() * vocoder_config.mel.hop));
  float peak = 0;
  for (const float sample : whole) peak = std::max(peak, std::abs(sample));
  testing::ExpectClose(streamed, whole, 1e-5 * peak);
  for (const std::size_t border : borders) {
    if (border == 0 || border >= streamed.size()) continue;
    EXPECT_LT(audio::JoinClick(streamed, border, vocoder_config.mel.sample_rate), 3.0) << border;
  }
}

}  // namespace
}  // namespace timbre::models
