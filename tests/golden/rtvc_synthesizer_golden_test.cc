// Real-Time-Voice-Cloning's synthesizer against arrays of the official module with random weights,
// f32.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/sv2tts/nvidia_tacotron2.h"
#include "models/sv2tts/rtvc_synthesizer.h"
#include "models/sv2tts/wavernn.h"
#include "nn/checkpoint.h"
#include "tests/support/golden.h"
#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

using nn::Tensor;
using testing::ExpectClose;
using testing::Golden;

// Largest |difference|; mel values reach about 4, stop logits 20. Energies are so steep (v is 30
// times a trained one's) that rounding grows from step to step: in the official size, at step 33,
// the golden f32 run itself is 1.8e-3 (alignment) and 1.4e-4 (mel) off the same network in f64.
// So the first steps are held tightly and the rest loosely.
struct Tolerance {
  double frames, align;
};
constexpr Tolerance kSmall = {5e-5, 1e-3};
constexpr Tolerance kOfficialStart = {1e-4, 1e-3};  // up to kStartSteps
constexpr Tolerance kOfficial = {2e-3, 3e-2};
constexpr std::int64_t kStartSteps = 16;

std::string Name(const std::string& run, const char* array) {
  return "sv2tts/rtvc/" + run + "." + array + ".npy";
}

Tensor Transposed(const Tensor& x) {
  Tensor y(x.cols(), x.rows());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < x.cols(); ++j) y.at(j, i) = x.at(i, j);
  }
  return y;
}

std::vector<std::int32_t> Ids(const std::string& run) {
  const std::vector<std::int64_t> ids = testing::GoldenIntegers(Name(run, "ids"));
  return {ids.begin(), ids.end()};
}

std::vector<float> Speaker() {
  return testing::GoldenVector("sv2tts/ge2e/human_p240.embed_rate1.3.npy");
}

std::shared_ptr<const RtvcSynthesizer> LoadFile(const char* file) {
  auto checkpoint = nn::Checkpoint::Open(testing::GoldenPath(file));
  EXPECT_TRUE(checkpoint) << checkpoint.error().message;
  auto model = RtvcSynthesizer::Load(nn::WeightReader(*checkpoint));
  EXPECT_TRUE(model) << model.error().message;
  return *model;
}

testing::RecipeWeights Recipe(const char* shapes) {
  auto weights = testing::RecipeWeights::FromShapes(testing::GoldenPath(shapes).string(),
                                                    testing::RecipeFamily::kRtvc);
  EXPECT_TRUE(weights);
  return *std::move(weights);
}

PrenetDropout Masks(const std::string& name, int units) {
  const std::vector<std::uint8_t> bits = testing::GoldenBits(name, units);
  Tensor keep(static_cast<std::int64_t>(bits.size()) / units, units);
  std::ranges::copy(bits, keep.data());
  return PrenetDropout::KeepMasks(std::move(keep));
}

struct Units {
  int encoder, decoder;  // of the prenets
};

DecodeOptions GoldenOptions(const std::string& run, Units units, int max_frames) {
  DecodeOptions options;
  options.max_frames = max_frames;
  options.rest_limit = 0;  // the official module has none
  if (run.ends_with("masks")) {
    options.encoder_dropout = Masks(Name(run, "mask_enc"), units.encoder);
    options.decoder_dropout = Masks(Name(run, "mask_dec"), units.decoder);
  }
  return options;
}

struct Decoded {
  Tensor mel, align;  // [frames, 80], [steps, symbols]
  std::vector<float> stop_logits;
};

void Append(const RtvcSynthesizer::Generation& generation, Decoded& decoded) {
  decoded.mel.AppendRows(generation.frames);
  decoded.align.AppendRow(generation.attention.weights);
  decoded.stop_logits.push_back(generation.stop_logit);
}

Decoded Decode(const RtvcSynthesizer& model, RtvcSynthesizer::Generation& generation) {
  Decoded decoded;
  RtvcSynthesizer::Generation* const group[] = {&generation};
  while (generation.stopped == StopReason::kNone) {
    model.Step(group);
    Append(generation, decoded);
  }
  return decoded;
}

void ExpectGolden(const RtvcSynthesizer& model, const std::string& run, Units units,
                  int max_frames) {
  SCOPED_TRACE(run);
  const Tolerance tolerance = run.starts_with("official") ? kOfficial : kSmall;
  const std::vector<std::int32_t> ids = Ids(run);
  DecodeOptions encoder_options = GoldenOptions(run, units, max_frames);
  ExpectClose(model.RunEncoder(ids, encoder_options.encoder_dropout),
              Golden(Name(run, "encoder_cbhg")), kSmall.frames);

  DecodeOptions options = GoldenOptions(run, units, max_frames);
  auto encoded = model.Encode(ids, Speaker(), options);
  ASSERT_TRUE(encoded) << encoded.error().message;
  if (run.starts_with("small")) {
    ExpectClose(encoded->keys, Golden(Name(run, "encoder_proj")), tolerance.frames);
  }
  auto generation = model.Start(*std::move(encoded), std::move(options));
  const Decoded decoded = Decode(model, generation);
  ExpectClose(decoded.mel, Transposed(Golden(Name(run, "mel"))), tolerance.frames);
  ExpectClose(decoded.stop_logits, testing::GoldenVector(Name(run, "stop_logit")),
              tolerance.frames);
  ExpectClose(decoded.align, Golden(Name(run, "align")), tolerance.align);
  if (run.starts_with("official")) {
    const std::int64_t frames = model.frames_per_step() * kStartSteps;
    ExpectClose(decoded.mel.Rows(0, frames), Transposed(Golden(Name(run, "mel"))).Rows(0, frames),
                kOfficialStart.frames);
    ExpectClose(decoded.align.Rows(0, kStartSteps), Golden(Name(run, "align")).Rows(0, kStartSteps),
                kOfficialStart.align);
  }
  auto postnet = model.StartPostnet();
  Tensor out;
  model.Postnet(postnet, decoded.mel, /*last=*/true, out);
  ExpectClose(out, Transposed(Golden(Name(run, "out"))), tolerance.frames);
  if (run.ends_with("stop")) {
    EXPECT_EQ(generation.stopped, StopReason::kStopSignal);
  }
}

TEST(RtvcSynthesizerGolden, SmallCheckpoints) {
  for (const char* file : {"sv2tts/rtvc/small.pt", "sv2tts/rtvc/small_legacy.pt"}) {
    SCOPED_TRACE(file);
    const auto model = LoadFile(file);
    EXPECT_EQ(model->symbols(), 66);
    EXPECT_EQ(model->symbol_set(), RtvcSymbols::kEnglish66);
    EXPECT_EQ(model->speaker_size(), 256);
    EXPECT_EQ(model->style_tokens(), 0);
    EXPECT_EQ(model->frames_per_step(), 2);
    EXPECT_FLOAT_EQ(model->silence_level(), -3.4F);
    ExpectGolden(*model, "small_nodrop", {16, 48}, 60);
    ExpectGolden(*model, "small_masks", {16, 48}, 60);
  }
  ExpectGolden(*LoadFile("sv2tts/rtvc/small_stop.pt"), "small_stop", {16, 48}, 0);
}

TEST(RtvcSynthesizerGolden, OfficialSize) {
  const testing::RecipeWeights weights = Recipe("sv2tts/rtvc/official.shapes.json");
  auto model = RtvcSynthesizer::Load(nn::WeightReader(weights));
  ASSERT_TRUE(model) << model.error().message;
  ExpectGolden(**model, "official_nodrop", {256, 256}, 80);
  ExpectGolden(**model, "official_masks", {256, 256}, 80);
}

// Utterances that are stepped together as rows give what they give alone, also when one joins or
// leaves on the way.
TEST(RtvcSynthesizerGolden, RowsOfABatchDoNotMix) {
  const auto model = LoadFile("sv2tts/rtvc/small.pt");
  const std::vector<std::int32_t> ids = Ids("small_nodrop");
  const auto start = [&](std::size_t symbols, std::uint64_t seed, int frames) {
    DecodeOptions options = DecodeOptions::Seeded(seed);
    options.max_frames = frames;
    auto encoded = *model->Encode(std::span(ids).first(symbols), Speaker(), options);
    return model->Start(std::move(encoded), std::move(options));
  };
  auto alone_a = start(29, 1, 24);
  auto alone_b = start(9, 2, 12);
  const Decoded expected_a = Decode(*model, alone_a);
  const Decoded expected_b = Decode(*model, alone_b);

  auto a = start(29, 1, 24);
  auto b = start(9, 2, 12);
  Decoded decoded_a, decoded_b;
  for (int step = 0; a.stopped == StopReason::kNone; ++step) {
    std::vector<RtvcSynthesizer::Generation*> group = {&a};
    const bool both = step >= 3 && b.stopped == StopReason::kNone;
    if (both) group.insert(group.begin(), &b);
    model->Step(group);
    Append(a, decoded_a);
    if (both) Append(b, decoded_b);
  }
  ExpectClose(decoded_a.mel, expected_a.mel, 1e-6);
  ExpectClose(decoded_b.mel, expected_b.mel, 1e-6);
  EXPECT_EQ(a.stopped, StopReason::kMaxFrames);
}

Tensor StreamPostnet(const RtvcSynthesizer& model, const Tensor& mel, std::int64_t chunk,
                     int future) {
  auto state = model.StartPostnet(future);
  Tensor streamed, out;
  for (std::int64_t begin = 0; begin < mel.rows(); begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, mel.rows());
    model.Postnet(state, mel.Rows(begin, end), end == mel.rows(), out);
    if (out.rows() > 0) streamed.AppendRows(out);
    if (end < mel.rows() && future == Cbhg::kWholeSegment) {
      EXPECT_EQ(streamed.rows(), 0);
    }
    if (end < mel.rows() && future >= 0) {
      // The convolutions look four frames ahead, the backward GRU `future` more.
      EXPECT_EQ(streamed.rows(), std::max<std::int64_t>(0, end - 4 - future));
    }
  }
  EXPECT_EQ(streamed.rows(), mel.rows());
  return streamed;
}

// Exact when the backward GRU waits for the end, or sees all of it; close with some frames of
// future, and the closer the more.
TEST(RtvcSynthesizerGolden, StreamedPostnet) {
  const auto model = LoadFile("sv2tts/rtvc/small.pt");
  const Tensor mel = Transposed(Golden(Name("small_nodrop", "mel")));
  const Tensor whole = Transposed(Golden(Name("small_nodrop", "out")));
  for (const std::int64_t chunk : {2, 7, 60}) {
    ExpectClose(StreamPostnet(*model, mel, chunk, Cbhg::kWholeSegment), whole, kSmall.frames);
    ExpectClose(StreamPostnet(*model, mel, chunk, 1000), whole, kSmall.frames);
  }
  const double near = testing::Compare(StreamPostnet(*model, mel, 6, 20), whole).absolute;
  const double nearer = testing::Compare(StreamPostnet(*model, mel, 6, 30), whole).absolute;
  EXPECT_LT(near, 0.02);
  EXPECT_LE(nearer, near);
  EXPECT_GT(testing::Compare(StreamPostnet(*model, mel, 6, 0), whole).absolute, near);
}

// A stop signal that never comes: attention that rests on the last symbol ends the utterance.
TEST(RtvcSynthesizerGolden, RestingOnTheLastSymbolEnds) {
  const auto model = LoadFile("sv2tts/rtvc/small.pt");
  DecodeOptions options;
  options.rest_limit = 15;
  const std::vector<std::int32_t> ids = {35};  // the first symbol is the last
  auto encoded = *model->Encode(ids, Speaker(), options);
  auto generation = model->Start(std::move(encoded), std::move(options));
  EXPECT_EQ(Decode(*model, generation).mel.rows(), 30);
  EXPECT_EQ(generation.stopped, StopReason::kRested);
}

TEST(RtvcSynthesizerGolden, RefusesWhatDoesNotFit) {
  const testing::RecipeWeights small = Recipe("sv2tts/rtvc/small.shapes.json");
  const auto model = *RtvcSynthesizer::Load(nn::WeightReader(small));
  DecodeOptions options;
  EXPECT_EQ(model->Encode({}, Speaker(), options).error().reason, "no_symbols");
  const std::vector<std::int32_t> unknown = {66};
  EXPECT_EQ(model->Encode(unknown, Speaker(), options).error().reason, "symbol_unknown");
  const std::vector<std::int32_t> known = {65};
  EXPECT_EQ(model->Encode(known, {}, options).error().reason, "speaker_embedding_size");

  const auto refusal = [&small](const char* name, std::vector<std::int64_t> shape) {
    testing::RecipeWeights changed = small;
    changed.SetShape(name, std::move(shape));
    const auto refused = RtvcSynthesizer::Load(nn::WeightReader(changed));
    EXPECT_FALSE(refused) << name;
    return refused ? Error{} : refused.error();
  };
  // Another text front end.
  const Error symbols = refusal("encoder.embedding.weight", {148, 32});
  EXPECT_EQ(symbols.reason, "unknown_symbol_set");
  EXPECT_TRUE(symbols.message.contains("148 rows")) << symbols.message;
  EXPECT_TRUE(symbols.message.contains("text front end")) << symbols.message;
  // Another size: tensor, both shapes and the likely cause.
  const Error shape = refusal("decoder.rnn_input.weight", {48, 10});
  EXPECT_TRUE(shape.message.contains("decoder.rnn_input.weight")) << shape.message;
  EXPECT_TRUE(shape.message.contains("[48, 10]")) << shape.message;
  EXPECT_TRUE(shape.message.contains("[48, 296]")) << shape.message;
  EXPECT_TRUE(shape.message.contains("likely")) << shape.message;
  EXPECT_FALSE(refusal("encoder.cbhg.conv1d_bank.2.conv.weight", {16, 16, 9}).message.empty());
  EXPECT_FALSE(refusal("postnet.rnn.weight_hh_l0", {96, 1 << 20}).message.empty());
  EXPECT_FALSE(refusal("decoder.mel_proj.weight", {80, 48}).message.empty());

  testing::RecipeWeights empty(testing::RecipeFamily::kRtvc);
  EXPECT_FALSE(RtvcSynthesizer::Load(nn::WeightReader(empty)));
  testing::RecipeWeights r = small;
  r.SetValues("decoder.r", {21.0F});
  EXPECT_EQ(RtvcSynthesizer::Load(nn::WeightReader(r)).error().reason, "wrong_reduction_factor");
  r.SetValues("decoder.r", {5.0F});
  EXPECT_EQ((*RtvcSynthesizer::Load(nn::WeightReader(r)))->frames_per_step(), 5);
}

// Which synthesizer's mels a vocoder can speak (by the formats that the models state).
TEST(RtvcSynthesizerGolden, MelFormatsTellWhichPartsFit) {
  const auto rtvc = LoadFile("sv2tts/rtvc/small.pt");
  auto nvidia_checkpoint = nn::Checkpoint::Open(testing::GoldenPath("sv2tts/nvtaco2/small.pt"));
  const auto nvidia = *NvidiaTacotron2::Load(nn::WeightReader(*nvidia_checkpoint));
  auto wavernn_checkpoint =
      nn::Checkpoint::Open(testing::GoldenPath("sv2tts/wavernn/small_mol.pt"));
  const auto wavernn = *WaveRnn::Load(nn::WeightReader(*wavernn_checkpoint));

  EXPECT_TRUE(CheckFits(rtvc->mel_format(), wavernn->mel_format()));
  const auto rate = CheckFits(nvidia->mel_format(), wavernn->mel_format());
  ASSERT_FALSE(rate);
  EXPECT_TRUE(rate.error().message.contains("sample rate differs")) << rate.error().message;
  const auto hop = CheckFits(rtvc->mel_format(256), wavernn->mel_format());
  ASSERT_FALSE(hop);
  EXPECT_TRUE(hop.error().message.contains("hop differs")) << hop.error().message;
  // HiFi-GAN's stock generators read NVIDIA's mels, not these.
  const MelFormat stock = {22050, 256, 80, 8000, MelScale::kNaturalLog};
  const MelFormat mockingbird = {16000, 200, 80, 7600, MelScale::kSymmetricDecibel};
  EXPECT_TRUE(CheckFits(nvidia->mel_format(), stock));
  EXPECT_FALSE(CheckFits(rtvc->mel_format(), stock));
  EXPECT_TRUE(CheckFits(rtvc->mel_format(), mockingbird));
  EXPECT_FALSE(CheckFits(nvidia->mel_format(), mockingbird));
}

}  // namespace
}  // namespace timbre::models
