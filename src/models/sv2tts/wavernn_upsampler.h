// The conditioning network of WaveRNN (fatchord's UpsampleNetwork): a mel frame and two more on
// each side become one smooth row per sample, and one residual vector for the whole frame.
// Each frame is computed alone, so any way of handing in the frames gives the same bits.
// Const after construction and thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/linear.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

class WaveRnnUpsampler {
 public:
  static constexpr int kLookAhead = 2;                      // frames
  static constexpr int kSurroundings = 2 * kLookAhead + 1;  // frames that one needs, itself too

  // Reads what lies below "upsample."; what does not agree latches an error in `reader`.
  explicit WaveRnnUpsampler(nn::WeightReader reader);

  std::int64_t mel_bins() const { return bins_; }
  std::int64_t aux_size() const { return conv_out_.outputs(); }
  std::int64_t hop() const { return hop_; }

  // Rows [first, first + 5) of mel [frames, bins] are the frame and its surroundings (zeros beyond
  // the sound's ends) -> aux [1, aux_size], samples [hop, bins].
  void Frame(const nn::Tensor& mel, std::int64_t first, nn::Tensor& aux, nn::Tensor& samples) const;

 private:
  struct ResBlock {
    nn::Linear conv1, conv2;  // batch norms folded in
  };
  struct UpLayer {
    std::int64_t scale;
    std::vector<float> taps;  // [2 * scale + 1]
  };

  std::int64_t bins_;
  nn::Linear conv_in_;  // [5 * bins -> channels]
  std::vector<ResBlock> layers_;
  nn::Linear conv_out_;
  std::vector<UpLayer> up_layers_;
  std::int64_t hop_ = 1;
};

}  // namespace timbre::models
