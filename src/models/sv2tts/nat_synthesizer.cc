#include "models/sv2tts/nat_synthesizer.h"

#include "base/check.h"
#include "nn/ops.h"

namespace timbre::models {
namespace {

using nn::Activation;
using nn::Conv1d;
using nn::Linear;
using nn::Lstm;
using nn::Tensor;
using nn::Weight;
using nn::WeightReader;

constexpr int kEncoderLayers = 3;
constexpr int kConvKernel = 5;
constexpr int kPositions = 2;  // frames since the symbol's start, frames to its end
// No symbol lasts longer (about three seconds); untrained weights may ask for anything.
constexpr float kMaxSymbolFrames = 250.0f;

Lstm TakeLstm(const WeightReader& reader, std::string_view name, std::string_view suffix,
              std::int64_t inputs, std::int64_t hidden, nn::Precision precision) {
  WeightReader layer = reader.Child(name);
  return Lstm::Take(layer, suffix, inputs, hidden, precision);
}

Linear TakeLinear(WeightReader reader, const std::string& name, std::int64_t inputs,
                  std::int64_t outputs, nn::LinearOptions options) {
  Weight weight = reader.Take(name + ".weight", {outputs, inputs});
  return Linear(std::move(weight), reader.Take(name + ".bias", {outputs}), std::move(options));
}

// enc.N.0 is the convolution, enc.N.1 the batch norm that follows it.
Conv1d TakeEncoderConv(WeightReader reader, int layer, std::int64_t channels) {
  const std::string name = fmt::format("enc.{}", layer);
  Weight weight = reader.Take(name + ".0.weight", {channels, channels, kConvKernel});
  Weight bias = reader.Take(name + ".0.bias", {channels});
  nn::FoldBatchNorm(nn::BatchNorm::Take(reader.Child(name + ".1"), channels), weight, bias);
  return Conv1d(std::move(weight), std::move(bias), {.activation = Activation::kRelu});
}

Conv1d TakePostnetConv(WeightReader reader, int layer, std::int64_t bins, std::int64_t channels,
                       nn::Precision precision) {
  const bool first = layer == 0;
  const bool last = layer == kNatPostnetLayers - 1;
  const std::int64_t inputs = first ? bins : channels;
  const std::int64_t outputs = last ? bins : channels;
  const std::string name = fmt::format("post.{}", layer);
  Weight weight = reader.Take(name + ".weight", {outputs, inputs, kConvKernel});
  // The last one's output is added to the frames themselves.
  return Conv1d(std::move(weight), reader.Take(name + ".bias", {outputs}),
                {.activation = last ? Activation::kNone : Activation::kTanh,
                 .accumulate = last,
                 .precision = precision,
                 .name = name});
}

}  // namespace

NatSynthesizer::NatSynthesizer(WeightReader reader, const NatConfig& config,
                               nn::Precision precision)
    : config_(config),
      emb_(reader.Take("emb.weight", {config.symbols, config.embedding})),
      el_(TakeLstm(reader, "el", "_l0", config.embedding, config.encoder_lstm,
                   nn::Precision::kF32)),
      el_reverse_(TakeLstm(reader, "el", "_l0_reverse", config.embedding, config.encoder_lstm,
                           nn::Precision::kF32)),
      spk_(TakeLinear(reader, "spk", config.speaker_embedding, config.speaker, {})),
      dp_(TakeLstm(reader, "dp", "_l0", config.encoded(), config.duration_lstm,
                   nn::Precision::kF32)),
      dp_reverse_(TakeLstm(reader, "dp", "_l0_reverse", config.encoded(), config.duration_lstm,
                           nn::Precision::kF32)),
      do_(TakeLinear(reader, "do", 2 * config.duration_lstm, 1, {})),
      pre_0_(TakeLinear(reader, "pre.0", config.mel.bins, config.prenet,
                        {.activation = Activation::kRelu, .precision = precision})),
      pre_3_(TakeLinear(reader, "pre.3", config.prenet, config.prenet,
                        {.activation = Activation::kRelu, .precision = precision})),
      dec_l0_(TakeLstm(reader, "dec", "_l0", config.encoded() + kPositions + config.prenet,
                       config.decoder_lstm, precision)),
      dec_l1_(TakeLstm(reader, "dec", "_l1", config.decoder_lstm, config.decoder_lstm, precision)),
      out_(TakeLinear(reader, "out", config.decoder_lstm + config.encoded() + kPositions,
                      config.mel.bins, {.precision = precision})),
      mel_mean_(reader.Take("mel_mean", {config.mel.bins}).values),
      mel_std_(reader.Take("mel_std", {config.mel.bins}).values) {
  for (int i = 0; i < kEncoderLayers; ++i) {
    enc_.push_back(TakeEncoderConv(reader, i, config.embedding));
  }
  for (int i = 0; i < kNatPostnetLayers; ++i) {
    post_.push_back(TakePostnetConv(reader, i, config.mel.bins, config.postnet, precision));
  }
}

Result<std::shared_ptr<const NatSynthesizer>> NatSynthesizer::Load(const WeightReader& weights,
                                                                   const NatConfig& config,
                                                                   nn::Precision precision) {
  std::shared_ptr<const NatSynthesizer> model(new NatSynthesizer(weights, config, precision));
  TIMBRE_TRY(weights.status());
  return model;
}

Result<NatEncoding> NatSynthesizer::Encode(std::span<const std::int32_t> ids,
                                           std::span<const float> speaker_embedding) const {
  const auto outside = [&](std::int32_t id) { return id < 0 || id >= config_.symbols; };
  if (ids.empty() || std::ranges::any_of(ids, outside)) {
    return Fail(ErrorCode::kInvalidArgument, "symbol_unknown",
                "the text holds no symbol, or one that the synthesizer does not have");
  }
  if (speaker_embedding.size() != static_cast<std::size_t>(config_.speaker_embedding)) {
    return Fail(ErrorCode::kInvalidArgument, "speaker_embedding_size",
                "the voice has a speaker embedding of {} numbers, the synthesizer takes {}",
                speaker_embedding.size(), config_.speaker_embedding);
  }
  Tensor x, y;  // [symbols, channels]
  nn::Embed(emb_, ids, x);
  for (const Conv1d& conv : enc_) {
    conv.Forward(x, y);
    std::swap(x, y);
  }
  nn::Bidirectional(el_, el_reverse_, x, y);  // [symbols, 2 * encoder_lstm]

  std::vector<float> speaker(static_cast<std::size_t>(config_.speaker));
  spk_.Step(speaker_embedding, speaker);
  NatEncoding result;
  result.encoder.Reshape(y.rows(), config_.encoded());
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const auto rest = std::ranges::copy(y.row(i), result.encoder.row(i).begin()).out;
    std::ranges::copy(speaker, rest);
  }

  nn::Bidirectional(dp_, dp_reverse_, result.encoder, x);
  do_.Forward(x, y);  // [symbols, 1]
  result.log_durations.assign(y.data(), y.data() + y.size());
  return result;
}

std::vector<std::int32_t> NatSynthesizer::Durations(std::span<const float> log_durations,
                                                    std::span<const std::uint8_t> audible,
                                                    float speed, bool* cut) {
  TIMBRE_CHECK(audible.empty() || audible.size() == log_durations.size());
  TIMBRE_CHECK(speed > 0);
  std::vector<std::int32_t> durations;
  std::int64_t total = 0;
  bool reached = false;
  for (std::size_t i = 0; i < log_durations.size(); ++i) {
    const float frames = (std::exp(log_durations[i]) - 1.0f) / speed;
    const float least = !audible.empty() && audible[i] != 0 ? 1.0f : 0.0f;
    // Half to even, as PyTorch rounds. What is no number becomes the least.
    const float rounded = frames > least ? std::nearbyint(std::min(frames, kMaxSymbolFrames)) : 0;
    auto duration = static_cast<std::int32_t>(std::max(rounded, least));
    if (total + duration > kNatMaxFrames) {
      duration = static_cast<std::int32_t>(kNatMaxFrames - total);
      reached = true;
    }
    total += duration;
    durations.push_back(duration);
  }
  if (cut != nullptr) *cut = reached;
  return durations;
}

NatDecoderState NatSynthesizer::Start(NatEncoding encoding, std::vector<std::int32_t> durations,
                                      std::uint64_t seed) const {
  TIMBRE_CHECK(static_cast<std::int64_t>(durations.size()) == encoding.encoder.rows());
  NatDecoderState state;
  state.encoder = std::move(encoding.encoder);
  state.durations = std::move(durations);
  state.dec_l0 = dec_l0_.Start();
  state.dec_l1 = dec_l1_.Start();
  state.previous.assign(static_cast<std::size_t>(config_.mel.bins), 0.0f);
  state.dropout = nn::Random(seed);
  while (!state.finished() && state.durations[state.symbol] == 0) ++state.symbol;
  return state;
}

void NatSynthesizer::Step(std::span<NatDecoderState* const> states, Tensor& frames) const {
  const auto batch = static_cast<std::int64_t>(states.size());
  if (batch == 0) {
    frames.Reshape(0, config_.mel.bins);
    return;
  }
  // Prenet on the frames before.
  Tensor previous(batch, config_.mel.bins);
  for (std::int64_t b = 0; b < batch; ++b) {
    std::ranges::copy(states[b]->previous, previous.row(b).begin());
  }
  std::vector<float> mask(static_cast<std::size_t>(config_.prenet));
  const auto dropout = [&](Tensor& x) {
    for (std::int64_t b = 0; b < batch; ++b) {
      if (!states[b]->use_dropout) continue;
      states[b]->dropout.FillDropout(static_cast<float>(config_.prenet_dropout), mask);
      nn::Multiply(mask, x.row(b));
    }
  };
  Tensor hidden, prenet;
  pre_0_.Forward(previous, hidden);
  dropout(hidden);
  pre_3_.Forward(hidden, prenet);
  dropout(prenet);

  // The upsampled encoder row: the symbol's own, and where in the symbol this frame is.
  const std::int64_t encoded = config_.encoded();
  const std::int64_t upsampled = encoded + kPositions;
  const auto scale = static_cast<float>(config_.position_scale);
  Tensor x(batch, upsampled + config_.prenet);
  Tensor projected(batch, config_.decoder_lstm + upsampled);
  for (std::int64_t b = 0; b < batch; ++b) {
    const NatDecoderState& state = *states[b];
    TIMBRE_CHECK(!state.finished());
    const std::span<float> row = x.row(b);
    std::ranges::copy(state.encoder.row(static_cast<std::int64_t>(state.symbol)), row.begin());
    row[encoded] = static_cast<float>(state.position) / scale;
    row[encoded + 1] = static_cast<float>(state.durations[state.symbol] - state.position) / scale;
    std::ranges::copy(prenet.row(b), row.begin() + upsampled);
    std::ranges::copy(row.first(upsampled), projected.row(b).begin() + config_.decoder_lstm);
  }

  // Two LSTM layers and the projection of [hidden, upsampled encoder].
  const auto step = [&](const Lstm& lstm, auto member, const Tensor& input) {
    if (batch == 1) {
      lstm.Step(input, states[0]->*member);
      return (states[0]->*member).h;
    }
    Lstm::State together = lstm.Start(batch);
    for (std::int64_t b = 0; b < batch; ++b) {
      std::ranges::copy((states[b]->*member).h.row(0), together.h.row(b).begin());
      std::ranges::copy((states[b]->*member).c.row(0), together.c.row(b).begin());
    }
    lstm.Step(input, together);
    for (std::int64_t b = 0; b < batch; ++b) {
      std::ranges::copy(together.h.row(b), (states[b]->*member).h.row(0).begin());
      std::ranges::copy(together.c.row(b), (states[b]->*member).c.row(0).begin());
    }
    return std::move(together.h);
  };
  hidden = step(dec_l0_, &NatDecoderState::dec_l0, x);
  hidden = step(dec_l1_, &NatDecoderState::dec_l1, hidden);
  for (std::int64_t b = 0; b < batch; ++b) {
    std::ranges::copy(hidden.row(b), projected.row(b).begin());
  }
  out_.Forward(projected, frames);

  for (std::int64_t b = 0; b < batch; ++b) {
    NatDecoderState& state = *states[b];
    std::ranges::copy(frames.row(b), state.previous.begin());
    ++state.frames;
    ++state.position;
    while (!state.finished() && state.position >= state.durations[state.symbol]) {
      ++state.symbol;
      state.position = 0;
    }
  }
}

void NatSynthesizer::Postnet(PostnetState& state, const Tensor& frames, bool last,
                             Tensor& mel) const {
  state.residual.Append(frames);
  Tensor x = frames, y;  // [frames, channels]
  for (int i = 0; i + 1 < kNatPostnetLayers; ++i) {
    post_[i].Push(state.post[i], x, last, y);
    std::swap(x, y);
  }
  const Conv1d& final = post_[kNatPostnetLayers - 1];
  Conv1d::State& final_state = state.post[kNatPostnetLayers - 1];
  state.residual.Take(final.PushRows(final_state, x.rows(), last), mel);
  final.Push(final_state, x, last, mel);
  for (std::int64_t t = 0; t < mel.rows(); ++t) {
    for (std::int64_t bin = 0; bin < mel.cols(); ++bin) {
      mel.at(t, bin) = mel.at(t, bin) * mel_std_[bin] + mel_mean_[bin];
    }
  }
}

}  // namespace timbre::models
