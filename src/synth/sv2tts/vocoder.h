// The seam between mel frames and samples: one adapter per vocoder. A Vocoder is const and shared;
// a VocoderStream belongs to one utterance and one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/hifigan/hifigan.h"
#include "models/mel_format.h"
#include "models/sv2tts/wavernn.h"
#include "nn/tensor.h"

namespace timbre::synth {

class VocoderStream {
 public:
  virtual ~VocoderStream() = default;
  // Appends the samples that are known after these rows [rows, bins]; `last` brings all the rest.
  virtual void Push(const nn::Tensor& mel, bool last, std::vector<float>* samples) = 0;
};

class Vocoder {
 public:
  virtual ~Vocoder() = default;
  virtual const char* kind() const = 0;
  virtual models::MelFormat mel_format() const = 0;
  virtual std::int64_t look_ahead() const = 0;  // frames held back while more may follow
  virtual std::unique_ptr<VocoderStream> Start(std::uint64_t seed) const = 0;
};

std::unique_ptr<const Vocoder> MakeVocoder(std::shared_ptr<const models::HifiGan> model);
std::unique_ptr<const Vocoder> MakeVocoder(std::shared_ptr<const models::WaveRnn> model);

}  // namespace timbre::synth
