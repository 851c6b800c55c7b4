// Real-Time-Voice-Cloning's synthesizer against arrays of the official module with random weights,
// f32.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/sv2tts/rtvc_synthesizer.h"
#include "nn/checkpoint.h"
#include "tests/support/golden.h"
#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

using nn::Tensor;
using testing::ExpectClose;
using testing::Golden;

// Largest |difference|; mel values reach about 4, stop logits 20. In the official size energies are
// so steep (v is 30 times a trained one's) that the golden f32 run itself is 1.8e-3 (alignment) and
// 1.4e-4 (mel) off the same network in f64.
struct Tolerance {
  double frames, align;
};
constexpr Tolerance kSmall = {2e-5, 2e-5};
constexpr Tolerance kOfficial = {1e-4, 1e-3};

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
              Golden(Name(run, "encoder_cbhg")), tolerance.frames);

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

}  // namespace
}  // namespace timbre::models
