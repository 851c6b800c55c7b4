// WaveRNN in fatchord's form (Kalchbrenner et al. 2018, "Efficient Neural Audio Synthesis";
// https://github.com/fatchord/WaveRNN), the vocoder of Real-Time-Voice-Cloning and MockingBird:
// mel frames to samples, one sample after another. RAW output (classes of mu-law sound) and MOL
// (mixture of logistics); sizes, bits and hop are the checkpoint's own.
//
// Everything that does not wait for the sample before is worked out once per frame as matrix
// products; per sample only what follows from the recurrent state is left. Streaming gives exactly
// the samples of the whole, two frames later.
//
// The model is const and shared; a Stream is one utterance's, used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "models/mel_format.h"
#include "models/sv2tts/wavernn_output.h"
#include "models/sv2tts/wavernn_upsampler.h"
#include "nn/linear.h"
#include "nn/precision.h"
#include "nn/random.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

// The random draws of an utterance: one uniform number per sample for RAW; for MOL ten that pick
// the mixture and one that places the sample in it.
class WaveRnnNoise {
 public:
  explicit WaveRnnNoise(std::uint64_t seed, std::uint64_t stream = 0) : random_(seed, stream) {}
  // Given numbers, one row per sample.
  explicit WaveRnnNoise(nn::Tensor uniforms) : random_(0), given_(std::move(uniforms)) {}

  // The next sample's numbers. Seeded ones are within [1e-5, 1 - 1e-5) for several, [0, 1) for one.
  void Next(std::span<float> uniforms);

 private:
  nn::Random random_;
  nn::Tensor given_;  // [samples, numbers]
  std::int64_t next_ = 0;
};

class WaveRnn {
 public:
  static constexpr std::int64_t kTarget = 8000;  // Real-Time-Voice-Cloning's folds, in samples
  static constexpr std::int64_t kOverlap = 800;
  static constexpr int kMixtures = 10;

  // What a frame adds to the layers, sample by sample.
  struct Conditioning {
    nn::Tensor layers;  // [hop, 3 * rnn + 3 * rnn + fc]: to GRU 1, GRU 2 and fc1
    nn::Tensor fc2;     // [1, fc]
  };

  // The recurrent state of some sounds made side by side.
  struct Lanes {
    std::vector<float> x;    // the last sample of each
    nn::Tensor h1, h2;       // [lanes, rnn]
    nn::Tensor from_h1;      // [lanes, 6 * rnn]: of h1 to GRU 1 and GRU 2
    nn::Tensor from_h2;      // [lanes, 3 * rnn]
    nn::Tensor gates, y, z;  // work space
    nn::Tensor logits;       // [lanes, outputs]
    std::vector<float> draws;
  };

  struct Stream {
    nn::Tensor mel;  // rows from two before the next frame on
    Lanes lane;
    WaveRnnNoise noise;
    DeEmphasis de_emphasis;
    Conditioning conditioning;
  };

  // `checkpoint`: the state dictionary. `precision` is how the recurrent weights are stored.
  // Errors: a tensor that is missing or has another shape (nn::WeightReader), wrong_shape,
  // unknown_vocoder_form.
  static Result<std::shared_ptr<const WaveRnn>> Load(const nn::WeightReader& checkpoint,
                                                     nn::Precision precision = nn::Precision::kF32);

  bool is_mixture() const { return bits_ == 0; }  // MOL
  int bits() const { return bits_; }              // of RAW
  std::int64_t hop() const { return upsampler_.hop(); }
  // Hop 200 is Real-Time-Voice-Cloning's form (16 kHz), hop 275 fatchord's own (22.05 kHz).
  MelFormat mel_format() const;

  Stream Start(WaveRnnNoise noise) const;
  // Appends the samples that mel [frames, bins] makes computable; all the rest with `last`. There
  // are hop samples per frame, and no fade at the end.
  void Push(Stream& stream, const nn::Tensor& mel, bool last, std::vector<float>& samples) const;

  // The whole sound in overlapping folds side by side: much faster, not streamable, with seams.
  // One noise per fold is drawn from `seed`; sizes as in FoldPlan.
  std::vector<float> GenerateBatched(const nn::Tensor& mel, std::uint64_t seed,
                                     std::int64_t target = kTarget,
                                     std::int64_t overlap = kOverlap) const;
  // The same with given noises, one for each of FoldPlan::For(frames * hop, …).folds.
  std::vector<float> GenerateBatched(const nn::Tensor& mel, const FoldPlan& plan,
                                     std::vector<WaveRnnNoise> noises, Seams seams) const;

  // Logits [inputs, outputs] when the samples before are `inputs`; for comparisons. At most
  // frames * hop inputs.
  nn::Tensor TeacherForcedLogits(const nn::Tensor& mel, std::span<const float> inputs) const;

 private:
  struct Sizes;
  struct Parts;
  WaveRnn(Parts parts, WaveRnnUpsampler upsampler);

  Lanes StartLanes(std::int64_t lanes) const;
  nn::Tensor Scaled(const nn::Tensor& mel) const;
  nn::Tensor Surrounded(const nn::Tensor& mel) const;  // scaled, two frames of zeros on each side
  // Of the frame whose surroundings are rows [first, first + 5) of `mel`.
  void ConditionFrame(const nn::Tensor& mel, std::int64_t first, Conditioning& out) const;
  void Condition(const nn::Tensor& aux, const nn::Tensor& samples, Conditioning& out) const;
  // One sample of every lane: lanes.x -> lanes.logits. conditioning[i] and row[i] are lane i's.
  void Step(std::span<const Conditioning* const> conditioning, std::span<const std::int64_t> rows,
            Lanes& lanes) const;
  // A sample from one lane's logits, which are used up.
  float Draw(std::span<float> logits, WaveRnnNoise& noise, std::vector<float>& draws) const;
  float Sound(float sample, DeEmphasis& de_emphasis) const;

  WaveRnnUpsampler upsampler_;
  int bits_ = 0;
  bool rtvc_ = true;  // scaled mels and de-emphasis
  std::int64_t rnn_, fc_;
  std::vector<float> from_x_;  // [3 * rnn + 3 * rnn + fc]: what the last sample adds, per unit
  nn::Linear from_mel_;        // [bins -> 3 * rnn + 3 * rnn + fc]
  nn::Linear from_aux_;        // [4 * aux -> 3 * rnn + 3 * rnn + fc + fc], with all biases
  nn::Linear from_h1_;         // [rnn -> 6 * rnn]
  nn::Linear from_h2_;         // [rnn -> 3 * rnn]
  nn::Linear fc1_, fc2_, fc3_;
};

}  // namespace timbre::models
