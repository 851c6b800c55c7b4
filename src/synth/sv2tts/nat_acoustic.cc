// Our Non-Attentive Tacotron as an AcousticModel: phones in, durations decide the frames.
#include <algorithm>

#include "synth/sv2tts/acoustic_models.h"

namespace timbre::synth {
namespace {

using Model = models::NatSynthesizer;

struct Utterance : AcousticUtterance {
  models::NatDecoderState decoder;
  Model::PostnetState postnet;
  nn::Tensor pending;  // raw frames the postnet has not seen, [frames, bins]
};

class NatAcoustic : public AcousticModel {
 public:
  explicit NatAcoustic(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  const char* kind() const override { return "nat"; }
  models::MelFormat mel_format() const override { return model_->config().mel; }
  bool needs_phones() const override { return true; }
  std::int64_t look_ahead() const override { return models::kNatPostnetLookahead; }

  Result<std::unique_ptr<AcousticUtterance>> Start(const text::Piece& piece,
                                                   std::span<const float> speaker,
                                                   const SpeakOptions& options) const override {
    std::vector<models::NatWord> words;
    words.reserve(piece.words.size());
    for (const auto& word : piece.words) words.push_back({word.phones, word.punctuation});
    const models::NatSymbols symbols = model_->config().Symbols(words);
    if (std::ranges::none_of(symbols.audible, [](auto audible) { return audible != 0; })) {
      return Fail(ErrorCode::kInvalidArgument, "piece_not_speakable",
                  "the model has no sound for \"{}\"", piece.text);
    }
    TIMBRE_ASSIGN(auto encoding, model_->Encode(symbols.ids, speaker));
    auto utterance = std::make_unique<Utterance>();
    auto durations =
        Model::Durations(encoding.log_durations, symbols.audible, options.speed, &utterance->cut);
    utterance->decoder = model_->Start(std::move(encoding), std::move(durations), options.seed);
    utterance->decoded = utterance->decoder.finished();
    return utterance;
  }

  void Step(std::span<AcousticUtterance* const> utterances) const override {
    std::vector<models::NatDecoderState*> states;
    states.reserve(utterances.size());
    for (auto* one : utterances) states.push_back(&static_cast<Utterance*>(one)->decoder);
    nn::Tensor frames;  // [utterances, bins]
    model_->Step(states, frames);
    for (std::size_t i = 0; i < utterances.size(); ++i) {
      auto& own = static_cast<Utterance&>(*utterances[i]);
      own.pending.AppendRow(frames.row(static_cast<std::int64_t>(i)));
      own.frames = own.decoder.frames;
      own.decoded = own.decoder.finished();
    }
  }

  void Refine(AcousticUtterance& utterance, nn::Tensor& mel) const override {
    auto& own = static_cast<Utterance&>(utterance);
    model_->Postnet(own.postnet, own.pending, own.decoded, mel);
    own.pending.Reshape(0, model_->config().mel.bins);
  }

 private:
  std::shared_ptr<const Model> model_;
};

}  // namespace

std::unique_ptr<const AcousticModel> MakeAcousticModel(std::shared_ptr<const Model> model) {
  return std::make_unique<NatAcoustic>(std::move(model));
}

}  // namespace timbre::synth
