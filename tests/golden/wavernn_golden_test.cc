// WaveRNN against arrays of the official module with random weights, f32.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/sv2tts/wavernn.h"
#include "nn/checkpoint.h"
#include "tests/support/golden.h"
#include "tests/support/recipe_weights.h"

namespace timbre::models {
namespace {

using nn::Tensor;
using testing::ExpectClose;
using testing::Golden;

// Largest |difference| of logits, which reach about 20.
constexpr double kLogitTolerance = 1e-4;
// Of samples, which reach about 18 (random weights through de-emphasis). Free-running output may
// leave the reference at a near-tie of two classes; with these draws it does not.
constexpr double kSampleTolerance = 5e-5;
// With ten bits some draws fall so close between two classes that the neighbour is taken (3e-3).
constexpr double kTenBitTolerance = 4e-3;

std::string Name(const std::string& run, const char* array) {
  return "sv2tts/wavernn/" + run + "." + array + ".npy";
}

// The golden mels are already divided by 4; the model takes the synthesizer's own scale.
Tensor Mel(const std::string& run) {
  const Tensor x = Golden(Name(run, "mel_in"));  // [bins, frames]
  Tensor y(x.cols(), x.rows());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < x.cols(); ++j) y.at(j, i) = 4.0F * x.at(i, j);
  }
  return y;
}

std::shared_ptr<const WaveRnn> LoadFile(const std::string& name,
                                        nn::Precision precision = nn::Precision::kF32) {
  auto checkpoint =
      nn::Checkpoint::Open(testing::GoldenPath("sv2tts/wavernn/" + name + ".pt").string());
  EXPECT_TRUE(checkpoint) << checkpoint.error().message;
  auto model = WaveRnn::Load(nn::WeightReader(*checkpoint), precision);
  EXPECT_TRUE(model) << model.error().message;
  return *model;
}

WaveRnnNoise Draws(const std::string& run, bool mixture) {
  if (!mixture) return WaveRnnNoise(Golden(Name(run, "gen_u")));
  const Tensor mix = Golden(Name(run, "gen_u_mix"));
  const Tensor place = Golden(Name(run, "gen_u_log"));
  Tensor all(mix.rows(), mix.cols() + 1);
  for (std::int64_t i = 0; i < mix.rows(); ++i) {
    std::ranges::copy(mix.row(i), all.row(i).begin());
    all.at(i, mix.cols()) = place.data()[i];
  }
  return WaveRnnNoise(std::move(all));
}

std::vector<float> Generate(const WaveRnn& model, const Tensor& mel, WaveRnnNoise noise,
                            std::int64_t chunk) {
  auto stream = model.Start(std::move(noise));
  std::vector<float> samples;
  for (std::int64_t begin = 0; begin < mel.rows(); begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, mel.rows());
    model.Push(stream, mel.Rows(begin, end), end == mel.rows(), samples);
    const std::int64_t ready =
        end == mel.rows() ? end : std::max<std::int64_t>(0, end - WaveRnnUpsampler::kLookAhead);
    EXPECT_EQ(static_cast<std::int64_t>(samples.size()), ready * model.hop());
  }
  return samples;
}

void ExpectTeacherForced(const WaveRnn& model, const std::string& run) {
  const std::vector<float> inputs = testing::GoldenVector(Name(run, "tf_x"));
  ExpectClose(model.TeacherForcedLogits(Mel(run), inputs), Golden(Name(run, "tf_logits")),
              kLogitTolerance);
}

TEST(WaveRnnGolden, UpsamplingNetwork) {
  auto checkpoint = nn::Checkpoint::Open(testing::GoldenPath("sv2tts/wavernn/small_raw9.pt"));
  ASSERT_TRUE(checkpoint);
  nn::WeightReader reader(*checkpoint);
  const WaveRnnUpsampler upsampler(reader.Child("upsample"));
  ASSERT_TRUE(reader.status());
  EXPECT_EQ(upsampler.hop(), 200);
  const Tensor golden = Golden(Name("small_raw9", "mel_in"));
  Tensor mel(golden.cols(), golden.rows());
  for (std::int64_t i = 0; i < mel.rows(); ++i) {
    for (std::int64_t j = 0; j < mel.cols(); ++j) mel.at(i, j) = golden.at(j, i);
  }
  Tensor padded(2, mel.cols()), one, all, frame, samples;
  padded.AppendRows(mel);
  padded.AppendRows(Tensor(2, mel.cols()));
  for (std::int64_t i = 0; i < mel.rows(); ++i) {
    upsampler.Frame(padded, i, one, frame);
    all.AppendRows(one);
    samples.AppendRows(frame);
  }
  ExpectClose(all, Golden(Name("small_raw9", "up_aux_frames")), 1e-5);
  ExpectClose(samples.Rows(0, 500), Golden(Name("small_raw9", "up_mel")), 1e-6);
}

TEST(WaveRnnGolden, TeacherForcedLogits) {
  for (const char* run : {"small_raw9", "small_raw10", "small_mol"}) {
    SCOPED_TRACE(run);
    ExpectTeacherForced(*LoadFile(run), run);
  }
}

TEST(WaveRnnGolden, OfficialSizeTeacherForcedLogits) {
  auto weights = testing::RecipeWeights::FromShapes(
      testing::GoldenPath("sv2tts/wavernn/official_raw9.shapes.json").string(),
      testing::RecipeFamily::kWaveRnn);
  ASSERT_TRUE(weights);
  auto model = WaveRnn::Load(nn::WeightReader(*weights));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->bits(), 9);
  ExpectTeacherForced(**model, "official_raw9");
}

// The whole sound from given draws, with the official ending.
TEST(WaveRnnGolden, GeneratesTheWhole) {
  const auto model = LoadFile("small_raw9");
  const Tensor mel = Mel("small_raw9");
  std::vector<float> whole = Generate(*model, mel, Draws("small_raw9", false), mel.rows());
  EXPECT_EQ(whole.size(), 6000U);  // by default every frame sounds, to the end
  OfficialEnding(model->hop(), whole);
  ExpectClose(whole, testing::GoldenVector(Name("small_raw9", "gen_out")), kSampleTolerance);
}

// Nine frames (the official fade begins behind them) in one chunk and in several: the same bits.
TEST(WaveRnnGolden, StreamsExactly) {
  for (const char* run : {"small_raw9", "small_raw10", "small_mol"}) {
    SCOPED_TRACE(run);
    const auto model = LoadFile(run);
    const Tensor mel = Mel(run).Rows(0, 11);
    const auto samples = [&](std::int64_t chunk) {
      auto all = Generate(*model, mel, Draws(run, model->is_mixture()), chunk);
      all.resize(1800);
      return all;
    };
    const std::vector<float> whole = samples(11);
    EXPECT_EQ(samples(4), whole);
    auto golden = testing::GoldenVector(Name(run, "gen_out"));
    golden.resize(1800);
    ExpectClose(whole, golden, model->bits() == 10 ? kTenBitTolerance : kSampleTolerance);
  }
  const auto model = LoadFile("small_raw9");
  const Tensor mel = Mel("small_raw9").Rows(0, 3);
  EXPECT_EQ(Generate(*model, mel, WaveRnnNoise(5), 1), Generate(*model, mel, WaveRnnNoise(5), 3));
  EXPECT_NE(Generate(*model, mel, WaveRnnNoise(5), 1), Generate(*model, mel, WaveRnnNoise(6), 1));
}

TEST(WaveRnnGolden, GeneratesInFolds) {
  const char* const run = "small_raw9_batched";
  const auto model = LoadFile("small_raw9");
  const Tensor mel = Mel(run);
  const FoldPlan plan = FoldPlan::For(mel.rows() * model->hop(), 800, 80);
  ASSERT_EQ(plan.folds, 7);
  const Tensor draws = Golden(Name(run, "gen_u"));  // [samples, folds]
  std::vector<WaveRnnNoise> noises;
  for (std::int64_t fold = 0; fold < plan.folds; ++fold) {
    Tensor own(draws.rows(), 1);
    for (std::int64_t i = 0; i < draws.rows(); ++i) own.at(i, 0) = draws.at(i, fold);
    noises.emplace_back(std::move(own));
  }
  std::vector<float> samples =
      model->GenerateBatched(mel, plan, std::move(noises), Seams::kOfficial);
  ASSERT_EQ(samples.size(), 6000U);
  OfficialEnding(model->hop(), samples);
  ExpectClose(samples, testing::GoldenVector(Name(run, "gen_out")), kSampleTolerance);
}

// Our seams: two folds of ones stay ones at both ends and never dip below, where the official join
// falls to silence.
TEST(WaveRnnGolden, SmoothSeamsDoNotDip) {
  const FoldPlan plan = FoldPlan::For(260, 100, 20);
  ASSERT_EQ(plan.folds, 2);
  Tensor ones(2, plan.length());
  ones.Fill(1.0F);
  const std::vector<float> smooth = Unfold(plan, ones, Seams::kSmooth);
  const std::vector<float> official = Unfold(plan, ones, Seams::kOfficial);
  EXPECT_GE(*std::ranges::min_element(smooth), 0.999F);
  EXPECT_LE(*std::ranges::max_element(smooth), 1.42F);  // equal power
  EXPECT_EQ(official[130], 0.0F);
}

TEST(WaveRnnGolden, FoldsJoinsAndSound) {
  // Where folds lie.
  const Tensor whole = Golden("sv2tts/wavernn/fold_in.npy");    // [2500, 3]
  const Tensor folded = Golden("sv2tts/wavernn/fold_out.npy");  // [3 * 960, 3]
  const FoldPlan plan = FoldPlan::For(whole.rows(), 800, 80);
  ASSERT_EQ(plan.folds, 3);
  ASSERT_EQ(plan.length(), 960);
  for (std::int64_t row = 0; row < folded.rows(); ++row) {
    const std::int64_t at = plan.start(row / 960) + row % 960;
    for (std::int64_t c = 0; c < 3; ++c) {
      ASSERT_EQ(folded.at(row, c), at < whole.rows() ? whole.at(at, c) : 0.0F);
    }
  }
  ExpectClose(Unfold(plan, Golden("sv2tts/wavernn/unfold_in.npy"), Seams::kOfficial),
              testing::GoldenVector("sv2tts/wavernn/unfold_out.npy"), 1e-6);

  const std::vector<float> table = testing::GoldenVector("sv2tts/wavernn/mulaw9_table.npy");
  std::vector<float> decoded;
  for (std::size_t k = 0; k < table.size(); ++k) {
    decoded.push_back(DecodeMuLaw(2.0F * static_cast<float>(k) / 511.0F - 1.0F, 9));
  }
  ExpectClose(decoded, table, 1e-6);

  std::vector<float> sound = testing::GoldenVector("sv2tts/wavernn/deemph_in.npy");
  DeEmphasis de_emphasis;
  for (float& sample : sound) sample = de_emphasis.Next(sample);
  ExpectClose(sound, testing::GoldenVector("sv2tts/wavernn/deemph_out.npy"), 2e-6);
}

// The official code crashes on sounds shorter than its fade; one frame, and none, are fine here.
TEST(WaveRnnGolden, ShortOutputs) {
  const auto model = LoadFile("small_raw9");
  const Tensor mel = Mel("small_raw9");
  EXPECT_EQ(Generate(*model, mel.Rows(0, 1), WaveRnnNoise(1), 1).size(), 200U);
  EXPECT_EQ(model->GenerateBatched(mel.Rows(0, 1), 1).size(), 200U);
  EXPECT_TRUE(model->GenerateBatched(mel.Rows(0, 0), 1).empty());
  auto stream = model->Start(WaveRnnNoise(1));
  std::vector<float> samples;
  model->Push(stream, mel.Rows(0, 0), /*last=*/true, samples);
  EXPECT_TRUE(samples.empty());
  OfficialEnding(200, samples);
  samples.assign(150, 1.0F);
  OfficialEnding(200, samples);
  EXPECT_TRUE(samples.empty());
  samples.assign(400, 1.0F);
  OfficialEnding(200, samples);
  ASSERT_EQ(samples.size(), 200U);
  EXPECT_NEAR(samples.back(), 0.0F, 1e-6);
}

// Weights stored as bf16 or int8 keep the logits close: the sound stays the same voice.
TEST(WaveRnnGolden, StoredWeightsOfLessPrecision) {
  const std::vector<float> inputs = testing::GoldenVector(Name("small_raw9", "tf_x"));
  const Tensor expected = Golden(Name("small_raw9", "tf_logits"));
  const std::pair<nn::Precision, double> limits[] = {{nn::Precision::kBf16, 0.02},
                                                     {nn::Precision::kInt8, 0.05}};
  for (const auto& [precision, limit] : limits) {
    const auto model = LoadFile("small_raw9", precision);
    const auto difference =
        testing::Compare(model->TeacherForcedLogits(Mel("small_raw9"), inputs), expected);
    EXPECT_LT(difference.relative, limit) << nn::PrecisionName(precision);
  }
}

TEST(WaveRnnGolden, StatesItsMelAndRefusesWhatDoesNotFit) {
  const MelFormat rtvc = LoadFile("small_raw9")->mel_format();
  EXPECT_EQ(Describe(rtvc), "16000 Hz, hop 200, 80 bins up to 7600 Hz, decibels on -4..4");

  auto recipe = testing::RecipeWeights::FromShapes(
      testing::GoldenPath("sv2tts/wavernn/small_raw9.shapes.json").string(),
      testing::RecipeFamily::kWaveRnn);
  ASSERT_TRUE(recipe);
  testing::RecipeWeights fatchord = *recipe;
  fatchord.SetShape("upsample.up_layers.5.weight", {1, 1, 1, 23});
  auto model = WaveRnn::Load(nn::WeightReader(fatchord));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(Describe((*model)->mel_format()), "22050 Hz, hop 275, 80 bins, decibels on 0..1");
  EXPECT_FALSE(CheckFits(rtvc, (*model)->mel_format()));

  testing::RecipeWeights hop = *recipe;
  hop.SetShape("upsample.up_layers.5.weight", {1, 1, 1, 21});
  EXPECT_EQ(WaveRnn::Load(nn::WeightReader(hop)).error().reason, "unknown_vocoder_form");

  testing::RecipeWeights classes = *recipe;
  classes.SetShape("fc3.weight", {500, 32});
  EXPECT_EQ(WaveRnn::Load(nn::WeightReader(classes)).error().reason, "unknown_vocoder_form");

  testing::RecipeWeights shape = *recipe;
  shape.SetShape("rnn2.weight_hh_l0", {96, 31});
  const auto refused = WaveRnn::Load(nn::WeightReader(shape));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.contains("rnn2.weight_hh_l0")) << refused.error().message;
  EXPECT_TRUE(refused.error().message.contains("[96, 32]")) << refused.error().message;
}

}  // namespace
}  // namespace timbre::models
