// Our synthesizer against what PyTorch computes with the same small model
// (nat_small/make_golden.py).
#include "models/sv2tts/nat_synthesizer.h"

#include <gtest/gtest.h>

#include "nn/checkpoint.h"
#include "tests/support/golden.h"

namespace timbre::models {
namespace {

using testing::ExpectClose;
using testing::Golden;
using testing::GoldenIntegers;
using testing::GoldenPath;
using testing::GoldenVector;

struct SmallNat {
  NatConfig config;
  std::shared_ptr<const NatSynthesizer> model;
  std::vector<std::int32_t> ids;
  std::vector<float> speaker;
};

SmallNat LoadSmallNat(nn::Precision precision = nn::Precision::kF32) {
  SmallNat small;
  auto config = ReadNatConfig(GoldenPath("nat_small/nat.json"));
  EXPECT_TRUE(config) << config.error().message;
  small.config = *config;
  auto checkpoint = nn::Checkpoint::Open(GoldenPath("nat_small/nat.safetensors"));
  EXPECT_TRUE(checkpoint) << checkpoint.error().message;
  auto model = NatSynthesizer::Load(nn::WeightReader(*checkpoint), small.config, precision);
  EXPECT_TRUE(model) << model.error().message;
  small.model = *model;
  for (const std::int64_t id : GoldenIntegers("nat_small/ids.npy")) {
    small.ids.push_back(static_cast<std::int32_t>(id));
  }
  small.speaker = GoldenVector("nat_small/speaker.npy");
  return small;
}

// Steps an utterance to its end: raw frames [frames, bins].
nn::Tensor Decode(const NatSynthesizer& model, NatDecoderState state) {
  nn::Tensor frames, frame;
  while (!state.finished()) {
    NatDecoderState* const states[] = {&state};
    model.Step(states, frame);
    frames.AppendRows(frame);
  }
  return frames;
}

TEST(NatGolden, EncoderDurationsAndMelWithoutDropout) {
  const SmallNat small = LoadSmallNat();
  auto encoding = small.model->Encode(small.ids, small.speaker);
  ASSERT_TRUE(encoding) << encoding.error().message;
  ExpectClose(encoding->encoder, Golden("nat_small/encoder.npy"), 1e-5);
  ExpectClose(encoding->log_durations, GoldenVector("nat_small/log_durations.npy"), 1e-5);

  bool cut = true;
  const auto durations = NatSynthesizer::Durations(encoding->log_durations, {}, 1.0f, &cut);
  EXPECT_FALSE(cut);
  const auto expected = GoldenIntegers("nat_small/durations.npy");
  EXPECT_TRUE(std::ranges::equal(durations, expected));

  NatDecoderState state = small.model->Start(*std::move(encoding), durations, 0);
  state.use_dropout = false;
  const nn::Tensor frames = Decode(*small.model, std::move(state));
  const nn::Tensor expected_mel = Golden("nat_small/mel.npy");
  nn::Tensor mel;
  NatSynthesizer::PostnetState whole;
  small.model->Postnet(whole, frames, true, mel);
  ExpectClose(mel, expected_mel, 1e-4);

  // The postnet in ragged chunks: the same rows, each as soon as the look-ahead allows.
  NatSynthesizer::PostnetState streamed;
  nn::Tensor pieces, piece;
  std::int64_t taken = 0;
  for (std::int64_t size = 1; taken < frames.rows(); size = size % 7 + 1) {
    const std::int64_t end = std::min(taken + size, frames.rows());
    small.model->Postnet(streamed, frames.Rows(taken, end), end == frames.rows(), piece);
    if (piece.rows() > 0) pieces.AppendRows(piece);
    taken = end;
    if (taken < frames.rows()) {
      EXPECT_EQ(pieces.rows(), std::max<std::int64_t>(0, taken - kNatPostnetLookahead));
    }
  }
  ExpectClose(pieces, mel, 1e-5);
}

// The weights that come with timbre, rounded to 16 bits, against the arrays of their training code
// in f32: what remains is the rounding, which the decoder carries on. Durations are the arrays'
// own.
TEST(NatGolden, DefaultWeightsSpeakAsTheirTrainingCodeDoes) {
  const std::string folder = TIMBRE_SOURCE_DIR "/models/default/";
  const auto config = ReadNatConfig(folder + "nat.json");
  ASSERT_TRUE(config) << config.error().message;
  const auto checkpoint = nn::Checkpoint::Open(folder + "nat.safetensors");
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  const auto model =
      NatSynthesizer::Load(nn::WeightReader(*checkpoint), *config, nn::Precision::kF32);
  ASSERT_TRUE(model) << model.error().message;
  for (const std::string run : {"nat_prototype/en.", "nat_prototype/zh."}) {
    SCOPED_TRACE(run);
    const auto integers = [&](const char* name) {
      const auto values = GoldenIntegers(run + name);
      return std::vector<std::int32_t>(values.begin(), values.end());
    };
    auto encoding = (*model)->Encode(integers("ids.npy"), GoldenVector(run + "speaker.npy"));
    ASSERT_TRUE(encoding) << encoding.error().message;
    ExpectClose(encoding->encoder, Golden(run + "encoder.npy"), 5e-3);
    ExpectClose(encoding->log_durations, GoldenVector(run + "log_durations.npy"), 2e-2);
    NatDecoderState state = (*model)->Start(*std::move(encoding), integers("durations.npy"), 0);
    state.use_dropout = false;
    nn::Tensor mel;
    NatSynthesizer::PostnetState postnet;
    (*model)->Postnet(postnet, Decode(**model, std::move(state)), true, mel);
    const nn::Tensor expected = Golden(run + "mel_nodrop.npy");
    ASSERT_EQ(mel.rows(), expected.rows());
    double sum = 0;
    for (std::int64_t i = 0; i < mel.size(); ++i) {
      sum += std::abs(mel.data()[i] - expected.data()[i]);
    }
    EXPECT_LT(sum / static_cast<double>(mel.size()), 0.02);  // of a natural logarithm
  }
}

TEST(NatGolden, BatchedUtterancesEqualTheirOwnAndSeedsDecideTheDropout) {
  const SmallNat small = LoadSmallNat();
  const auto start = [&](std::size_t symbols, std::uint64_t seed) {
    const auto encoding =
        small.model->Encode(std::span(small.ids).first(symbols), small.speaker).value();
    return small.model->Start(
        encoding, NatSynthesizer::Durations(encoding.log_durations, {}, 1.0f, nullptr), seed);
  };
  // Three utterances of different lengths step together; those that end leave.
  std::vector<NatDecoderState> together = {start(26, 1), start(9, 2), start(17, 1)};
  std::vector<nn::Tensor> frames(3);
  for (bool any = true; any;) {
    std::vector<NatDecoderState*> running;
    std::vector<std::size_t> who;
    for (std::size_t i = 0; i < together.size(); ++i) {
      if (together[i].finished()) continue;
      running.push_back(&together[i]);
      who.push_back(i);
    }
    any = !running.empty();
    nn::Tensor step;
    small.model->Step(running, step);
    for (std::size_t row = 0; row < who.size(); ++row) {
      frames[who[row]].AppendRow(step.row(static_cast<std::int64_t>(row)));
    }
  }
  ExpectClose(frames[0], Decode(*small.model, start(26, 1)), 1e-5);
  ExpectClose(frames[1], Decode(*small.model, start(9, 2)), 1e-5);
  ExpectClose(frames[2], Decode(*small.model, start(17, 1)), 1e-5);

  const nn::Tensor other = Decode(*small.model, start(26, 3));
  EXPECT_GT(testing::Compare(frames[0], other).absolute, 0.01);
}

}  // namespace
}  // namespace timbre::models
