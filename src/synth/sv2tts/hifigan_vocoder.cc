#include "synth/sv2tts/vocoder.h"

namespace timbre::synth {
namespace {

class HifiGanStream : public VocoderStream {
 public:
  explicit HifiGanStream(const models::HifiGan& model) : stream_(model) {}
  void Push(const nn::Tensor& mel, bool last, std::vector<float>* samples) override {
    stream_.Push(mel, last, *samples);
  }

 private:
  models::HifiGan::Stream stream_;
};

class HifiGanVocoder : public Vocoder {
 public:
  explicit HifiGanVocoder(std::shared_ptr<const models::HifiGan> model)
      : model_(std::move(model)) {}

  const char* kind() const override { return "hifigan"; }
  models::MelFormat mel_format() const override { return model_->config().mel; }
  std::int64_t look_ahead() const override { return model_->lookahead_frames(); }
  std::unique_ptr<VocoderStream> Start(std::uint64_t) const override {
    return std::make_unique<HifiGanStream>(*model_);
  }

 private:
  std::shared_ptr<const models::HifiGan> model_;
};

}  // namespace

std::unique_ptr<const Vocoder> MakeVocoder(std::shared_ptr<const models::HifiGan> model) {
  return std::make_unique<HifiGanVocoder>(std::move(model));
}

}  // namespace timbre::synth
