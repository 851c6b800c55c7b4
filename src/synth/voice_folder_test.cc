#include "synth/voice_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace timbre::synth {
namespace {

// Enrols anything as a constant vector that tells which encoder made it.
class FakeSynthesizer : public Synthesizer {
 public:
  FakeSynthesizer(std::string encoder, float value) : value_(value) {
    info_.speaker_encoder_id = std::move(encoder);
  }
  const ModelInfo& info() const override { return info_; }
  Result<Voice> Enroll(const audio::Reference& reference) const override {
    Voice voice;
    voice.speaker_embedding.assign(256, value_);
    voice.reference_seconds = reference.report.seconds;
    return voice;
  }
  Result<std::unique_ptr<Generation>> Start(const text::Piece&, const Voice&,
                                            const SpeakOptions&) const override {
    return Fail(ErrorCode::kUnsupported, "fake", "not in this test");
  }
  void Advance(std::span<Generation* const>) const override {}
  void Render(Generation&, std::vector<float>*) const override {}

 private:
  ModelInfo info_;
  float value_;
};

audio::Waveform Tone() {
  audio::Waveform wave{16000, std::vector<float>(32000)};
  for (std::size_t i = 0; i < wave.samples.size(); ++i) {
    wave.samples[i] = 0.3F * std::sin(0.1F * static_cast<float>(i));
  }
  return wave;
}

TEST(VoiceFolder, KeepsAVoiceAndItsWarnings) {
  const testing::TemporaryFolder temporary;
  const VoiceFolder folder(temporary.path() / "voices");
  const FakeSynthesizer synthesizer("a", 0.25F);
  Voice voice;
  voice.speaker_embedding.assign(256, 0.5F);
  voice.reference_seconds = 2.0;
  voice.warnings = {{"audio_clipped", "5 % of the samples are clipped"}};
  ASSERT_TRUE(folder.Save("anna", voice, Tone(), synthesizer, false));
  EXPECT_EQ(folder.Save("anna", voice, Tone(), synthesizer, false).error().reason, "voice_exists");
  ASSERT_TRUE(folder.Save("anna", voice, Tone(), synthesizer, true));

  const auto loaded = folder.Load("anna", synthesizer);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->speaker_embedding[7], 0.5F);
  EXPECT_EQ(loaded->warnings, voice.warnings);
  ASSERT_EQ(folder.List().size(), 1u);
  EXPECT_EQ(folder.List()[0].name, "anna");

  // Another encoder's vector would mean nothing: the recording is enrolled again.
  EXPECT_EQ(folder.Load("anna", FakeSynthesizer("b", 0.75F))->speaker_embedding[7], 0.75F);

  ASSERT_TRUE(folder.Remove("anna"));
  EXPECT_EQ(folder.Load("anna", synthesizer).error().reason, "voice_not_found");
}

TEST(VoiceFolder, NamesNeverReachOtherFolders) {
  const testing::TemporaryFolder temporary;
  const VoiceFolder folder(temporary.path() / "voices");
  const FakeSynthesizer synthesizer("a", 0.25F);
  for (const std::string name :
       {"", "../x", "a/../../x", "/etc/hostname", "..%2fx", ".hidden", "a\\b", "ä"}) {
    EXPECT_EQ(folder.Load(name, synthesizer).error().reason, "voice_name_invalid") << name;
    EXPECT_EQ(folder.Remove(name).error().reason, "voice_name_invalid") << name;
  }
  EXPECT_FALSE(ValidVoiceName(std::string_view("a\0b", 3)));
  EXPECT_FALSE(ValidVoiceName(std::string(65, 'a')));
}

TEST(VoiceFolder, ADamagedVoiceIsAClearError) {
  const testing::TemporaryFolder temporary;
  const auto path = temporary.path() / "broken";
  std::filesystem::create_directories(path);
  std::ofstream(path / "voice.json") << "{\"speaker_embedding\": [1, ";
  const VoiceFolder folder(temporary.path());
  EXPECT_EQ(folder.Load("broken", FakeSynthesizer("a", 0)).error().reason, "voice_damaged");
  EXPECT_TRUE(folder.List().empty());
  std::ofstream(path / "voice.json") << "{\"speaker_embedding\": \"x\", \"speaker_encoder\": 7}";
  EXPECT_EQ(folder.Load("broken", FakeSynthesizer("a", 0)).error().reason, "audio_not_found");
}

}  // namespace
}  // namespace timbre::synth
