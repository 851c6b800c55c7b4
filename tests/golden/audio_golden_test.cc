// The audio room against librosa, soxr, webrtcvad, Resemblyzer and the models' own mel code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "audio/decode.h"
#include "audio/mel.h"
#include "audio/resample.h"
#include "audio/speaker_preprocess.h"
#include "tests/support/golden.h"

namespace timbre::audio {
namespace {

using testing::ExpectClose;
using testing::GoldenIntegers;
using testing::GoldenPath;
using testing::GoldenVector;

constexpr const char* kRecordings[] = {"espeak_en_22k", "espeak_short_22k", "espeak_zh_22k",
                                       "noise", "tones"};

std::string Ge2e(const std::string& name) { return "sv2tts/ge2e/" + name; }

// At 16 kHz, before any other treatment.
Waveform Recording(const std::string& name) {
  auto decoded = DecodeFile(GoldenPath(Ge2e(name + ".wav")));
  EXPECT_TRUE(decoded.has_value()) << name;
  return Resample(decoded->waveform, kSpeakerSampleRate);
}

nn::Tensor AsTensor(const MelFrames& mel) {
  nn::Tensor tensor(mel.frames, mel.bands);
  std::copy(mel.values.begin(), mel.values.end(), tensor.data());
  return tensor;
}

nn::Tensor Transposed(const nn::Tensor& in) {
  nn::Tensor out(in.cols(), in.rows());
  for (std::int64_t r = 0; r < in.rows(); ++r) {
    for (std::int64_t c = 0; c < in.cols(); ++c) out.at(c, r) = in.at(r, c);
  }
  return out;
}

float Peak(const nn::Tensor& tensor) {
  float peak = 0.0f;
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    peak = std::max(peak, std::abs(tensor.data()[i]));
  return peak;
}

TEST(AudioGolden, ResamplerEqualsLibrosaSoxrHq) {
  for (const char* name : {"espeak_en_22k", "espeak_short_22k", "espeak_zh_22k"}) {
    SCOPED_TRACE(name);
    ExpectClose(Recording(name).samples,
                GoldenVector(Ge2e(std::string(name) + ".resampled16k.npy")), 1e-6);
  }
}

TEST(AudioGolden, VoiceActivityEqualsWebrtcvad) {
  for (const std::string name : kRecordings) {
    SCOPED_TRACE(name);
    std::vector<float> samples = Recording(name).samples;
    RaiseVolume(samples);
    const std::vector<std::uint8_t> flags = VoiceActivity(samples);
    const std::vector<std::int64_t> expected = GoldenIntegers(Ge2e(name + ".vad.npy"));
    ASSERT_EQ(flags.size(), expected.size());
    EXPECT_TRUE(std::equal(flags.begin(), flags.end(), expected.begin()));
  }
}

TEST(AudioGolden, PreprocessingEqualsResemblyzer) {
  for (const std::string name : kRecordings) {
    SCOPED_TRACE(name);
    const auto audio = PreprocessSpeaker(Recording(name));
    ASSERT_TRUE(audio.has_value()) << audio.error().message;
    ExpectClose(audio->samples, GoldenVector(Ge2e(name + ".pre.npy")), 1e-6);
  }
}

TEST(AudioGolden, SpeakerMelEqualsLibrosa) {
  const MelSpectrogram spectrogram(Ge2eMel());
  for (const std::string name : kRecordings) {
    SCOPED_TRACE(name);
    std::vector<float> samples = GoldenVector(Ge2e(name + ".pre.npy"));
    const nn::Tensor expected = testing::Golden(Ge2e(name + ".mel.npy"));
    // The encoder zero-pads the signal to the end of its last partial before the mel.
    samples.resize(static_cast<std::size_t>((expected.rows() - 1) * Ge2eMel().hop));
    ExpectClose(AsTensor(spectrogram.Compute(samples)), expected, 1e-6 * Peak(expected));
  }
}

TEST(AudioGolden, FilterbanksEqualLibrosa) {
  ExpectClose(SlaneyFilterbank(16000, 400, 40, 0, 8000),
              GoldenVector("sv2tts/ge2e/mel_filterbank_40.npy"), 1e-8);
  ExpectClose(SlaneyFilterbank(16000, 800, 80, 55, 7600),
              GoldenVector("sv2tts/rtvc/mel_filterbank_80.npy"), 1e-8);
  ExpectClose(SlaneyFilterbank(22050, 1024, 80, 0, 8000),
              GoldenVector("sv2tts/nvtaco2/mel_filterbank_80.npy"), 1e-8);
}

TEST(AudioGolden, SynthesizerMelsEqualTheirSources) {
  const struct {
    const char* folder;
    MelConfig config;
  } cases[] = {
      {"rtvc", RtvcSynthesizerMel()}, {"nvtaco2", NvidiaTacotron2Mel()}, {"hifigan", HifiGanMel()}};
  for (const auto& [folder, config] : cases) {
    SCOPED_TRACE(folder);
    const std::string prefix = std::string("sv2tts/") + folder;
    const MelFrames mel = MelSpectrogram(config).Compute(GoldenVector(prefix + "/melspec_in.npy"));
    // Near the floor of 1e-5 a logarithm shows the rounding of both FFTs (f32).
    ExpectClose(AsTensor(mel), Transposed(testing::Golden(prefix + "/melspec_out.npy")), 3e-4);
  }
}

}  // namespace
}  // namespace timbre::audio
