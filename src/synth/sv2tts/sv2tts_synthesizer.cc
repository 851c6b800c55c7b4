#include "synth/sv2tts/sv2tts_synthesizer.h"

#include <algorithm>

#include "audio/speaker_preprocess.h"
#include "audio/voice_count.h"
#include "base/check.h"

namespace timbre::synth {
namespace {

// Less speech than this says too little about a voice for a 1.6 s partial.
constexpr double kMinSpeechSeconds = 0.8;

class Sv2ttsGeneration : public Generation {
 public:
  Sv2ttsGeneration(std::unique_ptr<AcousticUtterance> acoustic,
                   std::unique_ptr<VocoderStream> sound, std::int64_t look_ahead)
      : acoustic_(std::move(acoustic)), sound_(std::move(sound)), look_ahead_(look_ahead) {}

  bool decoded() const override { return acoustic_->decoded; }
  std::int64_t frames() const override { return acoustic_->frames; }
  std::int64_t renderable_frames() const override {
    const std::int64_t known =
        acoustic_->decoded ? acoustic_->frames : acoustic_->frames - look_ahead_;
    return std::max<std::int64_t>(0, known - rendered_);
  }
  bool finished() const override { return finished_; }
  bool cut() const override { return acoustic_->cut; }

 private:
  friend class Sv2ttsSynthesizer;
  std::unique_ptr<AcousticUtterance> acoustic_;
  std::unique_ptr<VocoderStream> sound_;
  std::int64_t look_ahead_;    // of both nets
  std::int64_t rendered_ = 0;  // frames whose samples are out
  bool finished_ = false;
  nn::Tensor mel_;  // scratch
};

class Sv2ttsSynthesizer : public Synthesizer {
 public:
  Sv2ttsSynthesizer(Sv2ttsParts parts, ModelInfo info)
      : parts_(std::move(parts)), info_(std::move(info)) {}

  const ModelInfo& info() const override { return info_; }

  Result<Voice> Enroll(const audio::Reference& reference) const override {
    TIMBRE_ASSIGN(const auto speech,
                  audio::PreprocessSpeaker(reference.waveform, kMinSpeechSeconds));
    TIMBRE_ASSIGN(auto embedding, parts_.speaker_encoder->Embed(speech.samples));
    Voice voice;
    voice.reference_seconds = reference.report.seconds;
    voice.speech_seconds = speech.seconds();
    voice.warnings = reference.report.warnings;
    const auto& partials = embedding.partials;
    const auto count =
        audio::CountVoices({partials.data(), static_cast<std::size_t>(partials.size())},
                           partials.rows(), partials.cols());
    if (const auto several = audio::SeveralVoicesWarning(count)) voice.warnings.push_back(*several);
    voice.speaker_embedding = std::move(embedding.utterance);
    return voice;
  }

  Result<std::unique_ptr<Generation>> Start(const text::Piece& piece, const Voice& voice,
                                            const SpeakOptions& options) const override {
    if (!(options.speed >= kMinSpeed && options.speed <= kMaxSpeed)) {
      return Fail(ErrorCode::kInvalidArgument, "speed_out_of_range",
                  "speed must lie between {} and {}", kMinSpeed, kMaxSpeed);
    }
    TIMBRE_ASSIGN(auto acoustic, parts_.acoustic->Start(piece, voice.speaker_embedding, options));
    return std::make_unique<Sv2ttsGeneration>(
        std::move(acoustic), parts_.vocoder->Start(options.seed),
        parts_.acoustic->look_ahead() + parts_.vocoder->look_ahead());
  }

  void Advance(std::span<Generation* const> generations) const override {
    std::vector<AcousticUtterance*> running;
    running.reserve(generations.size());
    for (Generation* generation : generations) {
      AcousticUtterance* acoustic = Own(*generation).acoustic_.get();
      if (!acoustic->decoded) running.push_back(acoustic);
    }
    if (!running.empty()) parts_.acoustic->Step(running);
  }

  void Render(Generation& generation, std::vector<float>* samples) const override {
    Sv2ttsGeneration& own = Own(generation);
    if (own.finished_) return;
    own.rendered_ += own.renderable_frames();
    const bool last = own.acoustic_->decoded;
    parts_.acoustic->Refine(*own.acoustic_, own.mel_);
    own.sound_->Push(own.mel_, last, samples);
    own.finished_ = last;
  }

 private:
  // A Generation is used with the Synthesizer that started it.
  static Sv2ttsGeneration& Own(Generation& generation) {
    return static_cast<Sv2ttsGeneration&>(generation);
  }

  Sv2ttsParts parts_;
  ModelInfo info_;
};

}  // namespace

Result<std::shared_ptr<const Synthesizer>> MakeSv2ttsSynthesizer(Sv2ttsParts parts, ModelInfo info,
                                                                 bool allow_mismatch) {
  TIMBRE_CHECK(parts.speaker_encoder && parts.acoustic && parts.vocoder);
  const models::MelFormat written = parts.acoustic->mel_format();
  const models::MelFormat read = parts.vocoder->mel_format();
  if (!allow_mismatch || written.bins != read.bins) {
    TIMBRE_TRY(models::CheckFits(written, read));
  }
  info.family = "sv2tts";
  info.synthesizer = parts.acoustic->kind();
  info.vocoder = parts.vocoder->kind();
  info.sample_rate = read.sample_rate;
  info.hop = read.hop;
  info.needs_phones = parts.acoustic->needs_phones();
  return std::make_shared<const Sv2ttsSynthesizer>(std::move(parts), std::move(info));
}

}  // namespace timbre::synth
