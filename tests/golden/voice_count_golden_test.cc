// Several voices in one recording, with the real speaker encoder (case D19).
#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>

#include "audio/reference_check.h"
#include "audio/resample.h"
#include "audio/speaker_preprocess.h"
#include "audio/voice_count.h"
#include "models/sv2tts/speaker_encoder.h"
#include "nn/checkpoint.h"

namespace timbre {
namespace {

std::shared_ptr<const models::SpeakerEncoder> Encoder() {
  const auto checkpoint =
      nn::Checkpoint::Open(TIMBRE_THIRD_PARTY_DIR "/weights/ge2e/pretrained.pt");
  EXPECT_TRUE(checkpoint.has_value()) << checkpoint.error().message;
  const auto encoder = models::SpeakerEncoder::Load(nn::WeightReader(*checkpoint));
  EXPECT_TRUE(encoder.has_value()) << encoder.error().message;
  return *encoder;
}

// The voices found in these case files, spoken one after the other.
audio::VoiceCount CountIn(const models::SpeakerEncoder& encoder,
                          std::initializer_list<const char*> names) {
  audio::Waveform joined{audio::kSpeakerSampleRate, {}};
  for (const std::string name : names) {
    const auto reference =
        audio::ReadReference(std::filesystem::path(TIMBRE_SOURCE_DIR) / "tests/cases" / name);
    EXPECT_TRUE(reference.has_value()) << name;
    const audio::Waveform part = audio::Resample(reference->waveform, audio::kSpeakerSampleRate);
    joined.samples.insert(joined.samples.end(), part.samples.begin(), part.samples.end());
  }
  const auto speech = audio::PreprocessSpeaker(joined);
  EXPECT_TRUE(speech.has_value());
  const auto embedding = encoder.Embed(speech->samples);
  EXPECT_TRUE(embedding.has_value());
  const nn::Tensor& partials = embedding->partials;
  return audio::CountVoices({partials.data(), static_cast<std::size_t>(partials.size())},
                            partials.rows(), partials.cols());
}

TEST(Cases, D19SeveralVoices) {
  const auto encoder = Encoder();
  const audio::VoiceCount two = CountIn(*encoder, {"ref_clean_m.wav", "ref_clean_f.wav"});
  EXPECT_EQ(two.voices, 2);
  EXPECT_TRUE(audio::SeveralVoicesWarning(two).has_value());
  for (const char* name :
       {"ref_clean_m.wav", "speech_over_music_0dB.wav", "clipped_dc_offset.wav"}) {
    EXPECT_EQ(CountIn(*encoder, {name}).voices, 1) << name;
  }
}

}  // namespace
}  // namespace timbre
