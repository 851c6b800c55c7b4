#include "models/sv2tts/wavernn.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "nn/ops.h"

namespace timbre::models {
namespace {

using nn::Activation;
using nn::Linear;
using nn::Tensor;
using nn::Weight;
using nn::WeightReader;

constexpr float kMelScale = 0.25F;  // Real-Time-Voice-Cloning's mels of -4..4 come as -1..1
constexpr float kSmallestDraw = 1e-5F;

std::int64_t DimOf(const WeightReader& reader, std::string_view name, std::size_t dim) {
  const auto shape = reader.Shape(name);
  return shape && dim < shape->size() ? (*shape)[dim] : 1;
}

Weight Zeros(std::int64_t rows, std::int64_t cols) {
  return {{rows, cols}, std::vector<float>(static_cast<std::size_t>(rows * cols))};
}

// target[row + i][col + j] = from[i][from_col + j] for `cols` columns of all rows of `from`.
void Place(const Weight& from, std::int64_t from_col, std::int64_t cols, std::int64_t row,
           std::int64_t col, Weight& target) {
  for (std::int64_t i = 0; i < from.dim(0); ++i) {
    std::copy_n(from.values.data() + i * from.dim(1) + from_col, cols,
                target.values.data() + (row + i) * target.dim(1) + col);
  }
}

// The first `inner` columns of a [rows, >= inner] times b [inner, cols].
Weight Product(const Weight& a, std::int64_t inner, const Weight& b) {
  Weight transposed = Zeros(b.dim(1), inner);
  for (std::int64_t i = 0; i < inner; ++i) {
    for (std::int64_t j = 0; j < b.dim(1); ++j) {
      transposed.values[j * inner + i] = b.values[i * b.dim(1) + j];
    }
  }
  Tensor x(a.dim(0), inner);
  for (std::int64_t i = 0; i < a.dim(0); ++i) {
    std::copy_n(a.values.data() + i * a.dim(1), inner, x.row(i).data());
  }
  const Tensor y = Linear(std::move(transposed))(x);
  return {{y.rows(), y.cols()}, {y.data(), y.data() + y.size()}};
}

}  // namespace

struct WaveRnn::Sizes {
  std::int64_t bins, aux, rnn, fc, outputs;  // aux: a quarter of the residual vector

  Sizes(const WeightReader& reader, const WaveRnnUpsampler& upsampler)
      : bins(upsampler.mel_bins()),
        aux(upsampler.aux_size() / 4),
        rnn(DimOf(reader, "I.weight", 0)),
        fc(DimOf(reader, "fc1.weight", 0)),
        outputs(DimOf(reader, "fc3.weight", 0)) {}

  bool Sensible(const WaveRnnUpsampler& upsampler) const {
    return std::max({bins, aux, rnn, fc, outputs}) <= 4096 && std::min({bins, aux, rnn, fc}) >= 1 &&
           4 * aux == upsampler.aux_size();
  }
  // GRU 1, GRU 2, fc1 side by side.
  std::int64_t gru2() const { return 3 * rnn; }
  std::int64_t fc1() const { return 6 * rnn; }
  std::int64_t all() const { return 6 * rnn + fc; }
};

// The step's layers, taken apart by what they depend on. With i = I [x, mel, a1] + b:
//   GRU 1 reads i;  GRU 2 reads [i + h1, a2];  fc1 reads [i + h1 + h2, a3];  fc2 reads [fc1, a4]
// and everything is linear up to the gates, so i's share of each is a matrix of its own.
struct WaveRnn::Parts {
  Parts(WeightReader reader, const Sizes& s, nn::Precision precision)
      : sizes(s),
        input(reader.Take("I.weight", {s.rnn, 1 + s.bins + s.aux})),
        input_bias(reader.Take("I.bias", {s.rnn})),
        rnn1(reader.Take("rnn1.weight_ih_l0", {3 * s.rnn, s.rnn})),
        rnn2(reader.Take("rnn2.weight_ih_l0", {3 * s.rnn, s.rnn + s.aux})),
        fc1(reader.Take("fc1.weight", {s.fc, s.rnn + s.aux})),
        fc2(reader.Take("fc2.weight", {s.fc, s.fc + s.aux})),
        options{.precision = precision} {
    AddInput();
    AddBiases(reader);
    from_h1 = Zeros(6 * s.rnn, s.rnn);
    Place(reader.Take("rnn1.weight_hh_l0", {3 * s.rnn, s.rnn}), 0, s.rnn, 0, 0, from_h1);
    Place(rnn2, 0, s.rnn, 3 * s.rnn, 0, from_h1);
    from_h1_bias = reader.Take("rnn1.bias_hh_l0", {3 * s.rnn});
    from_h1_bias.values.resize(static_cast<std::size_t>(6 * s.rnn));
    from_h1_bias.shape = {6 * s.rnn};
    from_h2 = reader.Take("rnn2.weight_hh_l0", {3 * s.rnn, s.rnn});
    from_h2_bias = reader.Take("rnn2.bias_hh_l0", {3 * s.rnn});
    fc3 = reader.Take("fc3.weight", {s.outputs, s.fc});
    fc3_bias = reader.Take("fc3.bias", {s.outputs});
    fc1_of_state = Columns(fc1, s.rnn);
    fc2_of_fc1 = Columns(fc2, s.fc);
  }

  // The share of x, mel and a1 in the three layers that see I's output.
  void AddInput() {
    const Sizes& s = sizes;
    Weight share = Zeros(s.all(), input.dim(1));
    Place(Product(rnn1, s.rnn, input), 0, input.dim(1), 0, 0, share);
    Place(Product(rnn2, s.rnn, input), 0, input.dim(1), s.gru2(), 0, share);
    Place(Product(fc1, s.rnn, input), 0, input.dim(1), s.fc1(), 0, share);
    for (std::int64_t i = 0; i < s.all(); ++i) from_x.push_back(share.values[i * share.dim(1)]);
    from_mel = Zeros(s.all(), s.bins);
    Place(share, 1, s.bins, 0, 0, from_mel);
    from_aux = Zeros(s.all() + s.fc, 4 * s.aux);
    Place(share, 1 + s.bins, s.aux, 0, 0, from_aux);
    Place(rnn2, s.rnn, s.aux, s.gru2(), s.aux, from_aux);
    Place(fc1, s.rnn, s.aux, s.fc1(), 2 * s.aux, from_aux);
    Place(fc2, s.fc, s.aux, s.all(), 3 * s.aux, from_aux);
  }

  void AddBiases(WeightReader reader) {
    const Sizes& s = sizes;
    bias = {{s.all() + s.fc}, {}};
    const auto append = [this](const Weight& values) {
      bias.values.insert(bias.values.end(), values.values.begin(), values.values.end());
    };
    append(reader.Take("rnn1.bias_ih_l0", {3 * s.rnn}));
    append(reader.Take("rnn2.bias_ih_l0", {3 * s.rnn}));
    append(reader.Take("fc1.bias", {s.fc}));
    append(reader.Take("fc2.bias", {s.fc}));
    const Weight column{{s.rnn, 1}, input_bias.values};
    const auto add = [this](const Weight& share, std::int64_t row) {
      for (std::int64_t i = 0; i < share.size(); ++i) bias.values[row + i] += share.values[i];
    };
    add(Product(rnn1, s.rnn, column), 0);
    add(Product(rnn2, s.rnn, column), s.gru2());
    add(Product(fc1, s.rnn, column), s.fc1());
  }

  static Weight Columns(const Weight& from, std::int64_t cols) {
    Weight part = Zeros(from.dim(0), cols);
    Place(from, 0, cols, 0, 0, part);
    return part;
  }

  Sizes sizes;
  Weight input, input_bias, rnn1, rnn2, fc1, fc2;
  std::vector<float> from_x;
  Weight from_mel, from_aux, bias;
  Weight from_h1, from_h1_bias, from_h2, from_h2_bias, fc1_of_state, fc2_of_fc1, fc3, fc3_bias;
  nn::LinearOptions options;
};

WaveRnn::WaveRnn(Parts parts, WaveRnnUpsampler upsampler)
    : upsampler_(std::move(upsampler)),
      rnn_(parts.sizes.rnn),
      fc_(parts.sizes.fc),
      from_x_(std::move(parts.from_x)),
      from_mel_(std::move(parts.from_mel)),
      from_aux_(std::move(parts.from_aux), std::move(parts.bias)),
      from_h1_(std::move(parts.from_h1), std::move(parts.from_h1_bias), parts.options),
      from_h2_(std::move(parts.from_h2), std::move(parts.from_h2_bias), parts.options),
      fc1_(std::move(parts.fc1_of_state), {}, parts.options),
      fc2_(std::move(parts.fc2_of_fc1), {}, parts.options),
      fc3_(std::move(parts.fc3), std::move(parts.fc3_bias), parts.options) {}

Result<std::shared_ptr<const WaveRnn>> WaveRnn::Load(const WeightReader& checkpoint,
                                                     nn::Precision precision) {
  WeightReader reader = checkpoint;
  WaveRnnUpsampler upsampler(reader.Child("upsample"));
  TIMBRE_TRY(reader.status());
  const Sizes sizes(reader, upsampler);
  if (!sizes.Sensible(upsampler)) {
    return Fail(ErrorCode::kUnsupported, "wrong_shape",
                "the layer sizes of this checkpoint do not make a WaveRNN (I.weight has {} rows, "
                "fc1.weight {}, fc3.weight {}, upsample.resnet.conv_out.weight {})",
                sizes.rnn, sizes.fc, sizes.outputs, upsampler.aux_size());
  }
  const bool mixture = sizes.outputs == 3 * kMixtures;
  const bool raw = std::has_single_bit(static_cast<std::uint64_t>(sizes.outputs)) &&
                   sizes.outputs >= 64 && sizes.outputs <= 4096;
  if (reader.Has("fc3.weight") && !mixture && !raw) {
    return Fail(ErrorCode::kUnsupported, "unknown_vocoder_form",
                "fc3.weight has {} rows; known are 30 (mixture of logistics) and powers of two "
                "(classes of 6 to 12 bits); likely this is a WaveRNN of another program",
                sizes.outputs);
  }
  if (upsampler.hop() != 200 && upsampler.hop() != 275) {
    return Fail(ErrorCode::kUnsupported, "unknown_vocoder_form",
                "the upsampling layers (upsample.up_layers) make {} samples of a frame; known are "
                "200 (Real-Time-Voice-Cloning, 16 kHz) and 275 (fatchord, 22.05 kHz)",
                upsampler.hop());
  }
  Parts parts(reader, sizes, precision);
  TIMBRE_TRY(reader.status());
  std::shared_ptr<WaveRnn> model(new WaveRnn(std::move(parts), std::move(upsampler)));
  model->bits_ = mixture ? 0 : std::countr_zero(static_cast<std::uint64_t>(sizes.outputs));
  model->rtvc_ = model->hop() == 200;
  return model;
}

MelFormat WaveRnn::mel_format() const {
  return {.sample_rate = rtvc_ ? 16000 : 22050,
          .hop = static_cast<int>(hop()),
          .bins = static_cast<int>(upsampler_.mel_bins()),
          .fmax = rtvc_ ? 7600.0 : 0.0,
          .scale = rtvc_ ? MelScale::kSymmetricDecibel : MelScale::kUnitDecibel};
}

WaveRnn::Lanes WaveRnn::StartLanes(std::int64_t lanes) const {
  Lanes state;
  state.x.assign(static_cast<std::size_t>(lanes), 0.0F);
  state.h1 = Tensor(lanes, rnn_);
  state.h2 = Tensor(lanes, rnn_);
  from_h1_.Forward(state.h1, state.from_h1);
  state.gates = Tensor(lanes, from_mel_.outputs());
  state.draws.resize(is_mixture() ? kMixtures + 1 : 1);
  return state;
}

Tensor WaveRnn::Scaled(const Tensor& mel) const {
  Tensor scaled = mel;
  if (rtvc_) nn::Scale(kMelScale, {scaled.data(), static_cast<std::size_t>(scaled.size())});
  return scaled;
}

Tensor WaveRnn::Surrounded(const Tensor& mel) const {
  const Tensor silence(WaveRnnUpsampler::kLookAhead, upsampler_.mel_bins());
  Tensor rows = silence;
  rows.AppendRows(Scaled(mel));
  rows.AppendRows(silence);
  return rows;
}

void WaveRnn::ConditionFrame(const Tensor& mel, std::int64_t first, Conditioning& out) const {
  Tensor aux, samples;
  upsampler_.Frame(mel, first, aux, samples);
  Condition(aux, samples, out);
}

void WaveRnn::Condition(const Tensor& aux, const Tensor& samples, Conditioning& out) const {
  Tensor constant;  // [1, layers + fc]
  from_aux_.Forward(aux, constant);
  from_mel_.Forward(samples, out.layers);
  const auto layers = static_cast<std::size_t>(out.layers.cols());
  for (std::int64_t t = 0; t < out.layers.rows(); ++t) {
    nn::Axpy(1.0F, std::as_const(constant).row(0).first(layers), out.layers.row(t));
  }
  out.fc2.Reshape(1, fc_);
  std::ranges::copy(std::as_const(constant).row(0).subspan(layers), out.fc2.data());
}

namespace {

// h = GRU(from_x, from_h, h); from_x is used up.
void RunGates(std::span<float> from_x, std::span<const float> from_h, std::span<float> h) {
  const std::size_t n = h.size();
  float* const reset = from_x.data();
  float* const update = reset + n;
  float* const candidate = update + n;
  for (std::size_t i = 0; i < 2 * n; ++i) reset[i] += from_h[i];
  nn::Activate(Activation::kSigmoid, from_x.first(2 * n));
  for (std::size_t i = 0; i < n; ++i) candidate[i] += reset[i] * from_h[2 * n + i];
  nn::Activate(Activation::kTanh, from_x.subspan(2 * n, n));
  for (std::size_t i = 0; i < n; ++i) h[i] = candidate[i] + update[i] * (h[i] - candidate[i]);
}

}  // namespace

void WaveRnn::Step(std::span<const Conditioning* const> conditioning,
                   std::span<const std::int64_t> rows, Lanes& lanes) const {
  const auto count = static_cast<std::int64_t>(lanes.x.size());
  const auto gru = static_cast<std::size_t>(3 * rnn_);
  const auto gates_of = [&](std::int64_t lane) { return lanes.gates.row(lane); };

  for (std::int64_t i = 0; i < count; ++i) {
    std::ranges::copy(conditioning[i]->layers.row(rows[i]), gates_of(i).begin());
    nn::Axpy(lanes.x[i], from_x_, gates_of(i));
    RunGates(gates_of(i).first(gru), std::as_const(lanes.from_h1).row(i).first(gru),
             lanes.h1.row(i));
  }
  // The new h1 goes to GRU 2 now and to GRU 1 at the next sample.
  from_h1_.Forward(lanes.h1, lanes.from_h1);
  from_h2_.Forward(lanes.h2, lanes.from_h2);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::span<float> gates = gates_of(i).subspan(gru, gru);
    nn::Axpy(1.0F, std::as_const(lanes.from_h1).row(i).subspan(gru), gates);
    RunGates(gates, std::as_const(lanes.from_h2).row(i), lanes.h2.row(i));
  }
  lanes.y.Reshape(count, rnn_);
  std::copy_n(lanes.h1.data(), lanes.h1.size(), lanes.y.data());
  nn::Add(lanes.h2, lanes.y);
  fc1_.Forward(lanes.y, lanes.z);
  for (std::int64_t i = 0; i < count; ++i) {
    nn::Axpy(1.0F, gates_of(i).subspan(2 * gru), lanes.z.row(i));
  }
  nn::Activate(Activation::kRelu, lanes.z);
  fc2_.Forward(lanes.z, lanes.y);
  for (std::int64_t i = 0; i < count; ++i) {
    nn::Axpy(1.0F, conditioning[i]->fc2.row(0), lanes.y.row(i));
  }
  nn::Activate(Activation::kRelu, lanes.y);
  fc3_.Forward(lanes.y, lanes.logits);
}

void WaveRnnNoise::Next(std::span<float> uniforms) {
  if (given_.rows() > 0) {
    TIMBRE_CHECK(next_ < given_.rows() &&
                 uniforms.size() == static_cast<std::size_t>(given_.cols()));
    std::ranges::copy(std::as_const(given_).row(next_++), uniforms.begin());
    return;
  }
  random_.FillUniform(uniforms);
  if (uniforms.size() == 1) return;
  for (float& u : uniforms) u = kSmallestDraw + u * (1.0F - 2.0F * kSmallestDraw);
}

float WaveRnn::Draw(std::span<float> logits, WaveRnnNoise& noise, std::vector<float>& draws) const {
  noise.Next(draws);
  if (!is_mixture()) {
    // The class where the running sum of probabilities passes the draw.
    nn::Softmax(logits);
    double sum = 0.0;
    std::size_t chosen = 0;
    for (; chosen + 1 < logits.size(); ++chosen) {
      sum += logits[chosen];
      if (sum > draws[0]) break;
    }
    return 2.0F * static_cast<float>(chosen) / static_cast<float>(logits.size() - 1) - 1.0F;
  }
  // Gumbel's trick picks a mixture by its weight; then the inverse of its distribution function.
  std::size_t mixture = 0;
  float best = -INFINITY;
  for (std::size_t i = 0; i < kMixtures; ++i) {
    const float score = logits[i] - std::log(-std::log(draws[i]));
    if (score > best) {
      best = score;
      mixture = i;
    }
  }
  const float mean = logits[kMixtures + mixture];
  const float log_scale = std::max(logits[2 * kMixtures + mixture], std::log(1e-14F));
  const float u = draws[kMixtures];
  return std::clamp(mean + std::exp(log_scale) * (std::log(u) - std::log(1.0F - u)), -1.0F, 1.0F);
}

float WaveRnn::Sound(float sample, DeEmphasis& de_emphasis) const {
  const float sound = is_mixture() ? sample : DecodeMuLaw(sample, bits_);
  return rtvc_ ? de_emphasis.Next(sound) : sound;
}

WaveRnn::Stream WaveRnn::Start(WaveRnnNoise noise) const {
  return {.mel = Tensor(WaveRnnUpsampler::kLookAhead, upsampler_.mel_bins()),
          .lane = StartLanes(1),
          .noise = std::move(noise)};
}

void WaveRnn::Push(Stream& stream, const Tensor& mel, bool last,
                   std::vector<float>& samples) const {
  stream.mel.AppendRows(Scaled(mel));
  if (last) stream.mel.AppendRows(Tensor(WaveRnnUpsampler::kLookAhead, upsampler_.mel_bins()));
  const Conditioning* const conditioning[] = {&stream.conditioning};
  const std::int64_t ready =
      std::max<std::int64_t>(0, stream.mel.rows() - 2 * WaveRnnUpsampler::kLookAhead);
  for (std::int64_t frame = 0; frame < ready; ++frame) {
    ConditionFrame(stream.mel, frame, stream.conditioning);
    for (std::int64_t t = 0; t < hop(); ++t) {
      const std::int64_t rows[] = {t};
      Step(conditioning, rows, stream.lane);
      const float sample = Draw(stream.lane.logits.row(0), stream.noise, stream.lane.draws);
      stream.lane.x[0] = sample;
      samples.push_back(Sound(sample, stream.de_emphasis));
    }
  }
  stream.mel.DropFrontRows(ready);
}

std::vector<float> WaveRnn::GenerateBatched(const Tensor& mel, std::uint64_t seed,
                                            std::int64_t target, std::int64_t overlap) const {
  const FoldPlan plan = FoldPlan::For(mel.rows() * hop(), target, overlap);
  std::vector<WaveRnnNoise> noises;
  for (std::int64_t i = 0; i < plan.folds; ++i) {
    noises.emplace_back(seed, static_cast<std::uint64_t>(i));
  }
  return GenerateBatched(mel, plan, std::move(noises), Seams::kSmooth);
}

std::vector<float> WaveRnn::GenerateBatched(const Tensor& mel, const FoldPlan& plan,
                                            std::vector<WaveRnnNoise> noises, Seams seams) const {
  TIMBRE_CHECK(static_cast<std::int64_t>(noises.size()) == plan.folds);
  const Tensor frames = Surrounded(mel);
  Conditioning beyond;  // the end
  Condition(Tensor(1, upsampler_.aux_size()), Tensor(hop(), upsampler_.mel_bins()), beyond);

  Lanes lanes = StartLanes(plan.folds);
  std::vector<Conditioning> own(static_cast<std::size_t>(plan.folds));
  std::vector<const Conditioning*> conditioning(own.size());
  std::vector<std::int64_t> rows(own.size());
  Tensor folds(plan.folds, plan.length());
  const std::int64_t total = mel.rows() * hop();
  const std::int64_t steps = plan.folds == 1 ? std::min(total, plan.length()) : plan.length();
  for (std::int64_t t = 0; t < steps; ++t) {
    for (std::int64_t fold = 0; fold < plan.folds; ++fold) {
      const std::int64_t at = plan.start(fold) + t;
      rows[fold] = at % hop();
      if (t > 0 && rows[fold] != 0) continue;
      conditioning[fold] = at < total ? &own[fold] : &beyond;
      if (at < total) ConditionFrame(frames, at / hop(), own[fold]);
    }
    Step(conditioning, rows, lanes);
    for (std::int64_t fold = 0; fold < plan.folds; ++fold) {
      lanes.x[fold] = Draw(lanes.logits.row(fold), noises[fold], lanes.draws);
      folds.at(fold, t) = lanes.x[fold];
    }
  }
  std::vector<float> samples = Unfold(plan, std::move(folds), seams);
  samples.resize(static_cast<std::size_t>(total));
  DeEmphasis de_emphasis;
  for (float& sample : samples) sample = Sound(sample, de_emphasis);
  return samples;
}

Tensor WaveRnn::TeacherForcedLogits(const Tensor& mel, std::span<const float> inputs) const {
  TIMBRE_CHECK(static_cast<std::int64_t>(inputs.size()) <= mel.rows() * hop());
  const Tensor frames = Surrounded(mel);
  Tensor logits;
  Lanes lane = StartLanes(1);
  Conditioning own;
  const Conditioning* const conditioning[] = {&own};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::int64_t rows[] = {static_cast<std::int64_t>(i) % hop()};
    if (rows[0] == 0) ConditionFrame(frames, static_cast<std::int64_t>(i) / hop(), own);
    lane.x[0] = inputs[i];
    Step(conditioning, rows, lane);
    logits.AppendRows(lane.logits);
  }
  return logits;
}

}  // namespace timbre::models
