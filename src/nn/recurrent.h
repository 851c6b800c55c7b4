// LSTM and GRU, PyTorch's equations and gate order (LSTM i, f, g, o; GRU r, z, n with
// n = tanh(W_in x + b_in + r * (W_hn h + b_hn))). The same class serves nn.LSTM's layers,
// nn.LSTMCell and their GRU kin. Layers are const, thread-safe and shared; a State is one
// utterance's (or batch's) and not thread-safe.
//
// A batch of equal-length sequences is laid out time first: row t*batch + b is step t of sequence
// b.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "nn/precision.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::nn {

class Lstm {
 public:
  struct State {
    Tensor h;  // [batch, hidden], also the output of the last step
    Tensor c;  // [batch, hidden]
  };

  // weight_ih [4*hidden, in], weight_hh [4*hidden, hidden], biases [4*hidden] or empty.
  Lstm(Weight weight_ih, Weight weight_hh, Weight bias_ih, Weight bias_hh,
       Precision precision = Precision::kF32);
  // Takes weight_ih<suffix>, weight_hh<suffix>, bias_ih<suffix>, bias_hh<suffix>; sizes are checked
  // against (inputs, hidden). Suffix: "" for cells, "_l0", "_l0_reverse", … for layers.
  static Lstm Take(WeightReader& reader, std::string_view suffix, std::int64_t inputs,
                   std::int64_t hidden, Precision precision = Precision::kF32);
  ~Lstm();
  Lstm(Lstm&&) noexcept;
  Lstm& operator=(Lstm&&) noexcept;

  std::int64_t inputs() const;
  std::int64_t hidden() const;

  State Start(std::int64_t batch = 1) const;  // zeros
  // x [batch, in]; the output is state.h.
  void Step(const Tensor& x, State& state) const;
  // x [time*batch, in] -> y [time*batch, hidden] (resized), from `state` on, which ends up as the
  // last step's. `reverse` goes from the last row to the first (y stays in x's order).
  void Sequence(const Tensor& x, State& state, Tensor& y, bool reverse = false) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class Gru {
 public:
  struct State {
    Tensor h;  // [batch, hidden], also the output of the last step
  };

  // weight_ih [3*hidden, in], weight_hh [3*hidden, hidden], biases [3*hidden] or empty.
  Gru(Weight weight_ih, Weight weight_hh, Weight bias_ih, Weight bias_hh,
      Precision precision = Precision::kF32);
  static Gru Take(WeightReader& reader, std::string_view suffix, std::int64_t inputs,
                  std::int64_t hidden, Precision precision = Precision::kF32);
  ~Gru();
  Gru(Gru&&) noexcept;
  Gru& operator=(Gru&&) noexcept;

  std::int64_t inputs() const;
  std::int64_t hidden() const;

  State Start(std::int64_t batch = 1) const;
  void Step(const Tensor& x, State& state) const;
  void Sequence(const Tensor& x, State& state, Tensor& y, bool reverse = false) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Both directions from zero states: x [time, in] -> y [time, 2*hidden], forward's half first.
void Bidirectional(const Lstm& forward, const Lstm& backward, const Tensor& x, Tensor& y);
void Bidirectional(const Gru& forward, const Gru& backward, const Tensor& x, Tensor& y);

}  // namespace timbre::nn
