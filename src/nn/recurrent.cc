#include "nn/recurrent.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "nn/linear.h"
#include "nn/packed_matrix.h"
#include "nn/vector_math.h"

namespace timbre::nn {
namespace {

// The two products of a recurrent layer. A sequence's input part is one large product beforehand.
struct Projections {
  std::int64_t inputs = 0, hidden = 0, gates = 0;  // gates: 3 or 4 times hidden
  Linear from_input;
  PackedMatrix from_hidden;
  std::vector<float> hidden_bias;  // [gates] or empty

  Projections(Weight weight_ih, Weight weight_hh, Weight bias_ih, Weight bias_hh,
              std::int64_t gates_per_unit, bool one_bias, Precision precision)
      : inputs(weight_ih.dim(1)),
        hidden(weight_hh.dim(1)),
        gates(weight_hh.dim(0)),
        from_input(Checked(std::move(weight_ih), gates),
                   one_bias ? Sum(bias_ih, bias_hh) : std::move(bias_ih), {.precision = precision}),
        from_hidden(weight_hh.values.data(), gates, hidden, precision),
        hidden_bias(one_bias ? std::vector<float>() : std::move(bias_hh.values)) {
    TIMBRE_CHECK(gates == gates_per_unit * hidden);
  }

  static Weight Checked(Weight weight, std::int64_t gates) {
    TIMBRE_CHECK(weight.dim(0) == gates);
    return weight;
  }
  static Weight Sum(const Weight& a, const Weight& b) {
    if (a.values.empty()) return b;
    if (b.values.empty()) return a;
    TIMBRE_CHECK(a.size() == b.size());
    Weight sum = a;
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += b.values[i];
    return sum;
  }
  const float* hidden_bias_or_null() const {
    return hidden_bias.empty() ? nullptr : hidden_bias.data();
  }
};

MatrixRows PlainRows(const Tensor& x) {
  return {.x = x.data(), .width = x.cols(), .row_stride = x.cols()};
}

struct RecurrentWeights {
  Weight weight_ih, weight_hh, bias_ih, bias_hh;
};

RecurrentWeights TakeWeights(WeightReader& reader, std::string_view suffix, std::int64_t inputs,
                             std::int64_t hidden, std::int64_t gates) {
  const std::string end(suffix);
  return {reader.Take("weight_ih" + end, {gates, inputs}),
          reader.Take("weight_hh" + end, {gates, hidden}), reader.Take("bias_ih" + end, {gates}),
          reader.Take("bias_hh" + end, {gates})};
}

// Runs step(first row of t, x's projection there) over all steps t in order.
template <typename Step>
void ForEachStep(const Projections& p, const Tensor& x, std::int64_t batch, bool reverse,
                 const Step& step) {
  TIMBRE_CHECK(batch > 0 && x.rows() % batch == 0);
  Tensor projected;  // [time*batch, gates]
  p.from_input.Forward(x, projected);
  const std::int64_t time = x.rows() / batch;
  for (std::int64_t i = 0; i < time; ++i) {
    const std::int64_t t = reverse ? time - 1 - i : i;
    step(t * batch, projected.data() + t * batch * p.gates);
  }
}

template <typename Layer>
void RunBidirectional(const Layer& forward, const Layer& backward, const Tensor& x, Tensor& y) {
  Tensor ahead, back;
  auto state = forward.Start();
  forward.Sequence(x, state, ahead);
  state = backward.Start();
  backward.Sequence(x, state, back, true);
  y.Reshape(x.rows(), forward.hidden() + backward.hidden());
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    std::copy_n(ahead.row(t).data(), forward.hidden(), y.row(t).data());
    std::copy_n(back.row(t).data(), backward.hidden(), y.row(t).data() + forward.hidden());
  }
}

}  // namespace

struct Lstm::Impl {
  Projections p;

  // gates [batch, 4*hidden] hold the input's part and are spent.
  void Advance(float* gates, State& state) const {
    const std::int64_t batch = state.h.rows();
    p.from_hidden.Multiply(PlainRows(state.h), batch, {.add = true}, gates);
    for (std::int64_t b = 0; b < batch; ++b) {
      LstmGates(gates + b * p.gates, p.hidden, state.c.row(b).data(), state.h.row(b).data());
    }
  }
};

Lstm::Lstm(Weight weight_ih, Weight weight_hh, Weight bias_ih, Weight bias_hh, Precision precision)
    : impl_(std::make_unique<Impl>(Projections(std::move(weight_ih), std::move(weight_hh),
                                               std::move(bias_ih), std::move(bias_hh), 4, true,
                                               precision))) {}
Lstm Lstm::Take(WeightReader& reader, std::string_view suffix, std::int64_t inputs,
                std::int64_t hidden, Precision precision) {
  RecurrentWeights w = TakeWeights(reader, suffix, inputs, hidden, 4 * hidden);
  return Lstm(std::move(w.weight_ih), std::move(w.weight_hh), std::move(w.bias_ih),
              std::move(w.bias_hh), precision);
}
Lstm::~Lstm() = default;
Lstm::Lstm(Lstm&&) noexcept = default;
Lstm& Lstm::operator=(Lstm&&) noexcept = default;

std::int64_t Lstm::inputs() const { return impl_->p.inputs; }
std::int64_t Lstm::hidden() const { return impl_->p.hidden; }

Lstm::State Lstm::Start(std::int64_t batch) const {
  return {Tensor(batch, hidden()), Tensor(batch, hidden())};
}

void Lstm::Step(const Tensor& x, State& state) const {
  TIMBRE_CHECK(x.rows() == state.h.rows());
  thread_local Tensor gates;
  impl_->p.from_input.Forward(x, gates);
  impl_->Advance(gates.data(), state);
}

void Lstm::Sequence(const Tensor& x, State& state, Tensor& y, bool reverse) const {
  y.Reshape(x.rows(), hidden());
  ForEachStep(impl_->p, x, state.h.rows(), reverse, [&](std::int64_t row, float* gates) {
    impl_->Advance(gates, state);
    std::copy_n(state.h.data(), state.h.size(), y.data() + row * hidden());
  });
}

struct Gru::Impl {
  Projections p;

  void Advance(const float* from_input, State& state) const {
    const std::int64_t batch = state.h.rows();
    thread_local Tensor from_hidden;
    from_hidden.Reshape(batch, p.gates);
    p.from_hidden.Multiply(PlainRows(state.h), batch, {.bias = p.hidden_bias_or_null()},
                           from_hidden.data());
    for (std::int64_t b = 0; b < batch; ++b) {
      GruGates(from_input + b * p.gates, from_hidden.row(b).data(), p.hidden,
               state.h.row(b).data());
    }
  }
};

Gru::Gru(Weight weight_ih, Weight weight_hh, Weight bias_ih, Weight bias_hh, Precision precision)
    : impl_(std::make_unique<Impl>(Projections(std::move(weight_ih), std::move(weight_hh),
                                               std::move(bias_ih), std::move(bias_hh), 3, false,
                                               precision))) {}
Gru Gru::Take(WeightReader& reader, std::string_view suffix, std::int64_t inputs,
              std::int64_t hidden, Precision precision) {
  RecurrentWeights w = TakeWeights(reader, suffix, inputs, hidden, 3 * hidden);
  return Gru(std::move(w.weight_ih), std::move(w.weight_hh), std::move(w.bias_ih),
             std::move(w.bias_hh), precision);
}
Gru::~Gru() = default;
Gru::Gru(Gru&&) noexcept = default;
Gru& Gru::operator=(Gru&&) noexcept = default;

std::int64_t Gru::inputs() const { return impl_->p.inputs; }
std::int64_t Gru::hidden() const { return impl_->p.hidden; }

Gru::State Gru::Start(std::int64_t batch) const { return {Tensor(batch, hidden())}; }

void Gru::Step(const Tensor& x, State& state) const {
  TIMBRE_CHECK(x.rows() == state.h.rows());
  thread_local Tensor gates;
  impl_->p.from_input.Forward(x, gates);
  impl_->Advance(gates.data(), state);
}

void Gru::Sequence(const Tensor& x, State& state, Tensor& y, bool reverse) const {
  y.Reshape(x.rows(), hidden());
  ForEachStep(impl_->p, x, state.h.rows(), reverse, [&](std::int64_t row, float* gates) {
    impl_->Advance(gates, state);
    std::copy_n(state.h.data(), state.h.size(), y.data() + row * hidden());
  });
}

void Bidirectional(const Lstm& forward, const Lstm& backward, const Tensor& x, Tensor& y) {
  RunBidirectional(forward, backward, x, y);
}
void Bidirectional(const Gru& forward, const Gru& backward, const Tensor& x, Tensor& y) {
  RunBidirectional(forward, backward, x, y);
}

}  // namespace timbre::nn
