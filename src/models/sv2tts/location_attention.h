// Location-sensitive attention (Chorowski et al. 2015, equations 8-9) as the Tacotron decoders use
// it, looking at no more than a window of 128 encoder positions:
//   energy[i] = v . tanh(query + keys[i] + L conv(alignment history)[i])
//   weights = softmax over [p-64, p+63], clamped so that it covers 128 positions where there are
//   so many; p is where the last step looked.
// Up to 128 positions that is full attention, bit for bit. Longer texts also get a monotonic
// guard: p may move 0..3 positions a step, so that the decoder neither skips nor turns back, and
// is set anew to the largest weight after 40 steps without moving.
//
// Two kinds of history: Real-Time-Voice-Cloning's (the sum of all former weights) and NVIDIA's
// (the last weights and that sum). Const after construction, thread-safe; what changes lives in a
// State per utterance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/linear.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

class LocationAttention {
 public:
  static constexpr std::int64_t kWindow = 128;
  static constexpr std::int64_t kWindowBehind = 64;
  static constexpr std::int64_t kMaxAdvance = 3;
  static constexpr int kStallLimit = 40;

  struct Parameters {
    nn::Weight conv;                // [filters, 1 or 2, taps]: history sum, or last weights and sum
    nn::Weight conv_bias;           // [filters], or empty
    nn::Weight dense;               // [attention, filters]
    nn::Weight v;                   // [1, attention]
    std::int64_t window = kWindow;  // 0: all positions, no guard (plain attention)
  };

  // What one text offers to attend to.
  struct Memory {
    nn::Tensor values;          // [positions, width]: encoder outputs
    nn::Tensor keys;            // [positions, attention]: projected encoder outputs
    std::vector<bool> ignored;  // positions whose energy is 0 (padding symbols); may be empty
  };

  struct State {
    std::vector<float> weights;     // [positions] of the last step
    std::vector<float> cumulative;  // [positions]
    std::int64_t position = 0;      // p
    int stalled = 0;                // steps since p moved
    int rested = 0;                 // steps in a row with p on the last position

    nn::Tensor history, features;  // work space
  };

  explicit LocationAttention(Parameters parameters);

  std::int64_t width() const { return static_cast<std::int64_t>(v_.size()); }  // "attention"
  State Start(const Memory& memory) const;
  // query [attention] (projected) -> context [width]; moves the state on by one step.
  void Step(std::span<const float> query, const Memory& memory, State& state,
            std::span<float> context) const;

 private:
  struct Window {
    std::int64_t begin, end;
  };
  Window WindowAt(std::int64_t position, std::int64_t positions) const;
  void FillHistory(const State& state, Window window, nn::Tensor& history) const;
  void MoveOn(Window window, State& state) const;

  std::int64_t channels_;  // of the history: 1 or 2
  std::int64_t taps_;
  std::int64_t window_;
  nn::Linear location_;   // conv and dense in one: [channels * taps -> attention]
  std::vector<float> v_;  // [attention]
};

}  // namespace timbre::models
