#include "models/sv2tts/wavernn.h"
#include "synth/sv2tts/vocoder.h"

namespace timbre::synth {
namespace {

constexpr std::int64_t kLookAhead = 2;  // frames

class WaveRnnStream : public VocoderStream {
 public:
  WaveRnnStream(const models::WaveRnn& model, std::uint64_t seed)
      : model_(model), stream_(model.Start(models::WaveRnnNoise(seed))) {}
  void Push(const nn::Tensor& mel, bool last, std::vector<float>* samples) override {
    model_.Push(stream_, mel, last, *samples);
  }

 private:
  const models::WaveRnn& model_;
  models::WaveRnn::Stream stream_;
};

class WaveRnnVocoder : public Vocoder {
 public:
  explicit WaveRnnVocoder(std::shared_ptr<const models::WaveRnn> model)
      : model_(std::move(model)) {}

  const char* kind() const override { return "wavernn"; }
  models::MelFormat mel_format() const override { return model_->mel_format(); }
  std::int64_t look_ahead() const override { return kLookAhead; }
  std::unique_ptr<VocoderStream> Start(std::uint64_t seed) const override {
    return std::make_unique<WaveRnnStream>(*model_, seed);
  }

 private:
  std::shared_ptr<const models::WaveRnn> model_;
};

}  // namespace

std::unique_ptr<const Vocoder> MakeVocoder(std::shared_ptr<const models::WaveRnn> model) {
  return std::make_unique<WaveRnnVocoder>(std::move(model));
}

}  // namespace timbre::synth
