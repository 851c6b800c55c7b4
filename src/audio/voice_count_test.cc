#include "audio/voice_count.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/golden.h"

namespace timbre::audio {
namespace {

constexpr std::int64_t kSize = 256;

// Windows of speaker `seed`, about 0.9 alike; different speakers are about 0.6 alike, as GE2E's.
void AppendSpeaker(std::vector<float>& embeddings, int seed, int windows) {
  std::mt19937 speaker(static_cast<unsigned>(seed));
  std::normal_distribution<float> normal;
  std::vector<float> voice(kSize);
  for (float& value : voice) value = std::max(0.0f, normal(speaker) + 0.4f);
  for (int i = 0; i < windows; ++i) {
    std::vector<float> window(kSize);
    double norm = 0.0;
    for (std::int64_t k = 0; k < kSize; ++k) {
      window[k] = std::max(0.0f, voice[k] + 0.3f * normal(speaker));
      norm += window[k] * window[k];
    }
    for (const float value : window) {
      embeddings.push_back(value / static_cast<float>(std::sqrt(norm)));
    }
  }
}

VoiceCount Count(const std::vector<float>& embeddings) {
  return CountVoices(embeddings, static_cast<std::int64_t>(embeddings.size()) / kSize, kSize);
}

TEST(VoiceCount, OneVoiceIsOne) {
  EXPECT_EQ(Count({}).voices, 0);
  for (const int windows : {1, 2, 3, 40}) {
    std::vector<float> embeddings;
    AppendSpeaker(embeddings, 7, windows);
    EXPECT_EQ(Count(embeddings).voices, 1) << windows;
    EXPECT_FALSE(SeveralVoicesWarning(Count(embeddings)).has_value());
  }
  for (const std::string name : {"espeak_en_22k", "espeak_zh_22k", "noise", "tones"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(Count(testing::GoldenVector("sv2tts/ge2e/" + name + ".partials_rate1.3.npy")).voices,
              1);
  }
}

TEST(VoiceCount, VoicesInTurnAreToldApart) {
  std::vector<float> embeddings;
  AppendSpeaker(embeddings, 1, 3);
  AppendSpeaker(embeddings, 2, 3);
  AppendSpeaker(embeddings, 1, 3);
  const VoiceCount two = Count(embeddings);
  EXPECT_EQ(two.voices, 2);
  EXPECT_LT(two.lowest_cosine, 0.75);
  const auto warning = SeveralVoicesWarning(two);
  ASSERT_TRUE(warning.has_value());
  EXPECT_EQ(warning->reason, "audio_several_voices");
  EXPECT_NE(warning->message.find("more than one voice"), std::string::npos);
  AppendSpeaker(embeddings, 3, 1);  // a single window does not make a voice
  EXPECT_EQ(Count(embeddings).voices, 2);
  AppendSpeaker(embeddings, 3, 2);
  EXPECT_EQ(Count(embeddings).voices, 3);
}

TEST(VoiceCount, WindowsOfNothingDoNoHarm) {
  EXPECT_EQ(Count(std::vector<float>(3 * kSize, 0.0f)).voices, 1);
}

}  // namespace
}  // namespace timbre::audio
