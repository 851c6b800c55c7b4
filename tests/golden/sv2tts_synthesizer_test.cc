// The SV2TTS family behind the contract, with the voice that comes with timbre.
#include <cmath>

#include <gtest/gtest.h>

#include "audio/reference_check.h"
#include "synth/model_folder.h"
#include "synth/speak.h"

namespace timbre::synth {
namespace {

std::shared_ptr<const Synthesizer> DefaultModel() {
  LoadOptions options;
  options.precision = "f32";
  options.data_folder = TIMBRE_THIRD_PARTY_DIR;
  auto synthesizer = LoadModelFolder(TIMBRE_SOURCE_DIR "/models/default", options);
  EXPECT_TRUE(synthesizer.has_value()) << synthesizer.error().message;
  return *synthesizer;
}

text::Piece PieceOf(std::vector<std::vector<std::string>> words) {
  text::Piece piece;
  for (auto& phones : words) {
    text::Word word;
    word.punctuation = phones.size() == 1 && phones[0] == ".";
    word.phones = std::move(phones);
    piece.words.push_back(std::move(word));
  }
  return piece;
}

std::unique_ptr<Generation> StartOrFail(const Synthesizer& synthesizer, const text::Piece& piece,
                                        const Voice& voice, const SpeakOptions& options) {
  auto generation = synthesizer.Start(piece, voice, options);
  EXPECT_TRUE(generation.has_value()) << generation.error().message;
  return *std::move(generation);
}

// Rendered whenever `chunk` frames are ready; a huge chunk renders once at the end.
std::vector<float> Speech(const Synthesizer& synthesizer, Generation& generation,
                          std::int64_t chunk) {
  std::vector<float> samples;
  Generation* one = &generation;
  while (!generation.finished()) {
    while (!generation.decoded() && generation.renderable_frames() < chunk) {
      synthesizer.Advance({&one, 1});
    }
    synthesizer.Render(generation, &samples);
  }
  return samples;
}

// Streaming computes the same numbers; a decoder step with company sums in another order, which a
// recurrent net carries on.
constexpr double kStreamed = 1e-5, kInCompany = 1e-3;

void ExpectSame(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max<double>(largest, std::abs(a[i]));
    error = std::max<double>(error, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(largest, 0.01);
  EXPECT_LE(error, tolerance * largest);
}

TEST(Sv2ttsSynthesizer, StreamsWhatTheWholeIsAndStepsTogetherAsAlone) {
  const auto synthesizer = DefaultModel();
  const auto reference = audio::ReadReference(TIMBRE_SOURCE_DIR "/samples/nova.wav");
  ASSERT_TRUE(reference.has_value());
  const auto enrolled = synthesizer->Enroll(*reference);
  ASSERT_TRUE(enrolled.has_value()) << enrolled.error().message;
  const Voice& voice = *enrolled;
  ASSERT_EQ(voice.speaker_embedding.size(), 256u);
  Voice other = voice;
  std::swap(other.speaker_embedding[3], other.speaker_embedding[100]);

  const text::Piece hello = PieceOf({{"HH", "AH0", "L", "OW1"}, {"."}});
  const text::Piece you = PieceOf({{"n", "i3"}, {"h", "ao3"}, {"."}});
  const SpeakOptions first{.seed = 5}, second{.seed = 6, .speed = 1.2F};

  auto whole = StartOrFail(*synthesizer, hello, voice, first);
  const auto expected = Speech(*synthesizer, *whole, 1 << 20);
  EXPECT_FALSE(whole->cut());
  EXPECT_EQ(static_cast<std::int64_t>(expected.size()), whole->frames() * synthesizer->info().hop);
  for (const std::int64_t chunk : {1, 3, 7}) {
    auto streamed = StartOrFail(*synthesizer, hello, voice, first);
    ExpectSame(Speech(*synthesizer, *streamed, chunk), expected, kStreamed);
  }

  auto alone = StartOrFail(*synthesizer, you, other, second);
  const auto expected_other = Speech(*synthesizer, *alone, 1 << 20);
  auto a = StartOrFail(*synthesizer, hello, voice, first);
  auto b = StartOrFail(*synthesizer, you, other, second);
  for (int i = 0; i < 9; ++i) {  // b joins later
    Generation* only = a.get();
    synthesizer->Advance({&only, 1});
  }
  std::vector<float> samples_a, samples_b;
  while (!a->finished() || !b->finished()) {
    Generation* both[] = {a.get(), b.get()};
    synthesizer->Advance(both);
    synthesizer->Render(*a, &samples_a);
    synthesizer->Render(*b, &samples_b);
  }
  ExpectSame(samples_a, expected, kInCompany);
  ExpectSame(samples_b, expected_other, kInCompany);

  EXPECT_EQ(synthesizer->Start(hello, voice, {.speed = 5.0F}).error().reason, "speed_out_of_range");
  EXPECT_EQ(synthesizer->Start(text::Piece{}, voice, {}).error().code, ErrorCode::kInvalidArgument);
}

TEST(Sv2ttsSynthesizer, RefusesWhatItCannotLoad) {
  LoadOptions options;
  options.precision = "f32";
  options.data_folder = TIMBRE_THIRD_PARTY_DIR;
  const auto missing = LoadModelFolder(TIMBRE_SOURCE_DIR "/no such model", options);
  EXPECT_EQ(missing.error().reason, "model_not_found");
  options.precision = "f8";
  EXPECT_EQ(LoadModelFolder(TIMBRE_SOURCE_DIR "/models/default", options).error().reason,
            "unknown_precision");
}

}  // namespace
}  // namespace timbre::synth
