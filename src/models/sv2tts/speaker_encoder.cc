#include "models/sv2tts/speaker_encoder.h"

#include "nn/ops.h"

namespace timbre::models {
namespace {

using nn::Tensor;

constexpr std::int64_t kSampleRate = 16000;
constexpr std::int64_t kHop = 160;
constexpr std::int64_t kPartialFrames = 160;
constexpr std::int64_t kPartialSamples = kPartialFrames * kHop;
constexpr double kMinCoverage = 0.75;  // of the last partial, by real samples
constexpr double kPartialsPerSecond = 1.3;

constexpr std::int64_t StepFrames(PartialRule rule) {
  constexpr auto kRateStep =
      static_cast<std::int64_t>(kSampleRate / kPartialsPerSecond / kHop + 0.5);
  return rule == PartialRule::kResemblyzer ? kRateStep : kPartialFrames / 2;
}

// Scales to unit length; with the `epsilon` that RTVC adds to the norm. Zero stays zero.
void Normalize(std::span<float> x, float epsilon) {
  const float norm = std::sqrt(nn::Dot(x, x));
  if (norm > 0) nn::Scale(1.0f / (norm + epsilon), x);
}

}  // namespace

SpeakerEncoder::SpeakerEncoder(nn::WeightReader reader)
    : mel_(audio::Ge2eMel()),
      lstm_l0_([&] {
        nn::WeightReader lstm = reader.Child("lstm");
        return nn::Lstm::Take(lstm, "_l0", audio::Ge2eMel().bands, kSpeakerEmbeddingSize);
      }()),
      lstm_l1_([&] {
        nn::WeightReader lstm = reader.Child("lstm");
        return nn::Lstm::Take(lstm, "_l1", kSpeakerEmbeddingSize, kSpeakerEmbeddingSize);
      }()),
      lstm_l2_([&] {
        nn::WeightReader lstm = reader.Child("lstm");
        return nn::Lstm::Take(lstm, "_l2", kSpeakerEmbeddingSize, kSpeakerEmbeddingSize);
      }()),
      linear_(reader.Take("linear.weight", {kSpeakerEmbeddingSize, kSpeakerEmbeddingSize}),
              reader.Take("linear.bias", {kSpeakerEmbeddingSize}),
              {.activation = nn::Activation::kRelu}) {}

Result<std::shared_ptr<const SpeakerEncoder>> SpeakerEncoder::Load(const nn::WeightReader& reader) {
  std::shared_ptr<const SpeakerEncoder> encoder(new SpeakerEncoder(reader));
  TIMBRE_TRY(reader.status());
  return encoder;
}

std::vector<std::int64_t> SpeakerEncoder::PartialStarts(std::int64_t samples, PartialRule rule) {
  const std::int64_t step = StepFrames(rule);
  const std::int64_t frames = (samples + kHop) / kHop;  // ceil((samples + 1) / hop)
  const std::int64_t end = std::max<std::int64_t>(1, frames - kPartialFrames + step + 1);
  std::vector<std::int64_t> starts;
  for (std::int64_t start = 0; start < end; start += step) starts.push_back(start);
  const double coverage =
      static_cast<double>(samples - starts.back() * kHop) / static_cast<double>(kPartialSamples);
  if (coverage < kMinCoverage && starts.size() > 1) starts.pop_back();
  return starts;
}

Result<SpeakerEmbedding> SpeakerEncoder::Embed(std::span<const float> samples,
                                               PartialRule rule) const {
  if (samples.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "audio_too_short",
                "the recording holds no speech to take a voice from");
  }
  const auto length = static_cast<std::int64_t>(samples.size());
  const float epsilon = rule == PartialRule::kResemblyzer ? 0.0f : 1e-5f;
  Tensor windows;  // [partials, 256]
  if (rule == PartialRule::kWholeUtterance) {
    const audio::MelFrames mel = mel_.Compute(samples);
    windows = EmbedWindows(mel, std::vector<std::int64_t>{0}, mel.frames, epsilon);
  } else {
    const std::vector<std::int64_t> starts = PartialStarts(length, rule);
    const std::int64_t end = starts.back() * kHop + kPartialSamples;
    std::vector<float> padded;  // the last partial must be whole
    if (end >= length) {
      padded.assign(samples.begin(), samples.end());
      padded.resize(static_cast<std::size_t>(end));
      samples = padded;
    }
    windows = EmbedWindows(mel_.Compute(samples), starts, kPartialFrames, epsilon);
  }

  SpeakerEmbedding result;
  result.utterance.assign(kSpeakerEmbeddingSize, 0.0f);
  for (std::int64_t i = 0; i < windows.rows(); ++i) {
    if (nn::MaxAbs(windows.row(i)) == 0) continue;
    result.partials.AppendRow(windows.row(i));
    nn::Axpy(1.0f, windows.row(i), result.utterance);
  }
  const float norm = std::sqrt(nn::Dot(result.utterance, result.utterance));
  if (!(norm > 0) || !std::isfinite(norm)) {
    return Fail(ErrorCode::kInvalidArgument, "audio_unusable",
                "the speaker encoder finds no voice in the recording");
  }
  nn::Scale(1.0f / norm, result.utterance);
  return result;
}

Tensor SpeakerEncoder::EmbedWindows(const audio::MelFrames& mel,
                                    std::span<const std::int64_t> starts, std::int64_t frames,
                                    float epsilon) const {
  // All windows step together: row t * windows + b is frame t of window b.
  const auto windows = static_cast<std::int64_t>(starts.size());
  Tensor x(frames * windows, mel.bands);
  for (std::int64_t t = 0; t < frames; ++t) {
    for (std::int64_t b = 0; b < windows; ++b) {
      const std::int64_t frame = starts[static_cast<std::size_t>(b)] + t;
      std::ranges::copy(mel.row(frame), x.row(t * windows + b).begin());
    }
  }
  Tensor y;
  nn::Lstm::State last;
  for (const nn::Lstm* layer : {&lstm_l0_, &lstm_l1_, &lstm_l2_}) {
    last = layer->Start(windows);
    layer->Sequence(x, last, y);
    std::swap(x, y);
  }
  Tensor embeddings = linear_(last.h);  // [windows, 256]
  for (std::int64_t b = 0; b < windows; ++b) Normalize(embeddings.row(b), epsilon);
  return embeddings;
}

}  // namespace timbre::models
