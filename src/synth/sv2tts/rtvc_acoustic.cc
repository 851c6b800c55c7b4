// Real-Time-Voice-Cloning's and MockingBird's synthesizer as an AcousticModel: letters or pinyin
// in, r frames per step.
#include "models/sv2tts/silence_trim.h"
#include "synth/sv2tts/acoustic_models.h"
#include "synth/sv2tts/mel_stretch.h"

namespace timbre::synth {
namespace {

using Model = models::RtvcSynthesizer;

struct Utterance : AcousticUtterance {
  Model::Generation generation;
  Model::PostnetState postnet;
  models::SilenceTrim trim;
  MelStretch stretch{1.0F};
  nn::Tensor pending;  // decoder frames the postnet has not seen, [frames, bins]
};

class RtvcAcoustic : public AcousticModel {
 public:
  RtvcAcoustic(std::shared_ptr<const Model> model, const RtvcSettings& settings)
      : model_(std::move(model)), settings_(settings) {}

  const char* kind() const override {
    return model_->symbol_set() == models::RtvcSymbols::kEnglish66 ? "rtvc" : "mockingbird";
  }
  models::MelFormat mel_format() const override { return model_->mel_format(settings_.hop); }
  bool needs_phones() const override { return false; }
  std::int64_t look_ahead() const override {
    // The exact postnet waits for the end of the piece.
    return settings_.stream_ahead > 0 ? settings_.stream_ahead : Model::kMaxFrames;
  }

  Result<std::unique_ptr<AcousticUtterance>> Start(const text::Piece& piece,
                                                   std::span<const float> speaker,
                                                   const SpeakOptions& options) const override {
    TIMBRE_ASSIGN(const auto ids, Ids(piece));
    auto decode = models::DecodeOptions::Seeded(options.seed);
    decode.style = settings_.style;
    TIMBRE_ASSIGN(auto encoded, model_->Encode(ids, speaker, decode));
    auto utterance = std::make_unique<Utterance>();
    utterance->generation = model_->Start(std::move(encoded), std::move(decode));
    utterance->postnet = model_->StartPostnet(
        settings_.stream_ahead > 0 ? settings_.stream_ahead : models::Cbhg::kWholeSegment);
    utterance->trim = models::SilenceTrim(model_->silence_level());
    utterance->stretch = MelStretch(options.speed);
    return utterance;
  }

  void Step(std::span<AcousticUtterance* const> utterances) const override {
    std::vector<Model::Generation*> group;
    group.reserve(utterances.size());
    for (auto* one : utterances) group.push_back(&static_cast<Utterance*>(one)->generation);
    model_->Step(group);
    for (auto* one : utterances) {
      auto& own = static_cast<Utterance&>(*one);
      own.pending.AppendRows(own.generation.frames);
      own.frames = own.generation.frame_count;
      own.decoded = own.generation.stopped != models::StopReason::kNone;
      own.cut = own.generation.stopped == models::StopReason::kMaxFrames;
    }
  }

  void Refine(AcousticUtterance& utterance, nn::Tensor& mel) const override {
    auto& own = static_cast<Utterance&>(utterance);
    nn::Tensor refined;
    model_->Postnet(own.postnet, own.pending, own.decoded, refined);
    own.pending.Reshape(0, model_->mel_bins());
    own.trim.Push(refined, own.decoded, mel);
    own.stretch.Apply(mel, own.decoded);
  }

 private:
  Result<std::vector<int>> Ids(const text::Piece& piece) const {
    switch (model_->symbol_set()) {
      case models::RtvcSymbols::kMockingBird75:
        return SpokenIds(text::TacotronSymbols::kMockingBird75, text::PinyinText(piece));
      case models::RtvcSymbols::kMockingBird70:
        return SpokenIds(text::TacotronSymbols::kMockingBird70, text::PinyinText(piece));
      default:
        return SpokenIds(text::TacotronSymbols::kRtvc, piece.text);
    }
  }

  std::shared_ptr<const Model> model_;
  RtvcSettings settings_;
};

}  // namespace

std::unique_ptr<const AcousticModel> MakeAcousticModel(std::shared_ptr<const Model> model,
                                                       const RtvcSettings& settings) {
  return std::make_unique<RtvcAcoustic>(std::move(model), settings);
}

}  // namespace timbre::synth
