// NVIDIA Tacotron 2 as an AcousticModel: English letters in, one frame per step.
#include "synth/sv2tts/acoustic_models.h"
#include "synth/sv2tts/mel_stretch.h"
#include "text/tacotron_symbols.h"

namespace timbre::synth {
namespace {

using Model = models::NvidiaTacotron2;

struct Utterance : AcousticUtterance {
  Model::Generation generation;
  Model::PostnetState postnet;
  MelStretch stretch{1.0F};
  nn::Tensor pending;  // decoder frames the postnet has not seen, [frames, bins]
};

class Tacotron2Acoustic : public AcousticModel {
 public:
  explicit Tacotron2Acoustic(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  const char* kind() const override { return "nvidia_tacotron2"; }
  models::MelFormat mel_format() const override { return model_->mel_format(); }
  bool needs_phones() const override { return false; }
  std::int64_t look_ahead() const override { return Model::kPostnetLookAhead; }

  Result<std::unique_ptr<AcousticUtterance>> Start(const text::Piece& piece,
                                                   std::span<const float> speaker,
                                                   const SpeakOptions& options) const override {
    TIMBRE_ASSIGN(const auto ids, SpokenIds(text::TacotronSymbols::kNvidia, piece.text));
    // The published model has one voice of its own and takes no embedding.
    if (model_->speaker_size() == 0) speaker = {};
    TIMBRE_ASSIGN(auto encoded, model_->Encode(ids, speaker));
    auto utterance = std::make_unique<Utterance>();
    utterance->generation =
        model_->Start(std::move(encoded), models::DecodeOptions::Seeded(options.seed));
    utterance->postnet = model_->StartPostnet();
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
      own.pending.AppendRows(own.generation.frame);
      own.frames = own.generation.frames;
      own.decoded = own.generation.stopped != models::StopReason::kNone;
      own.cut = own.generation.stopped == models::StopReason::kMaxFrames;
    }
  }

  void Refine(AcousticUtterance& utterance, nn::Tensor& mel) const override {
    auto& own = static_cast<Utterance&>(utterance);
    model_->Postnet(own.postnet, own.pending, own.decoded, mel);
    own.pending.Reshape(0, model_->mel_bins());
    own.stretch.Apply(mel, own.decoded);
  }

 private:
  std::shared_ptr<const Model> model_;
};

}  // namespace

std::unique_ptr<const AcousticModel> MakeAcousticModel(std::shared_ptr<const Model> model) {
  return std::make_unique<Tacotron2Acoustic>(std::move(model));
}

}  // namespace timbre::synth
