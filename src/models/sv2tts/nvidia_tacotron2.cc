#include "models/sv2tts/nvidia_tacotron2.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "nn/linear.h"
#include "nn/ops.h"

namespace timbre::models {
namespace {

using nn::Activation;
using nn::Linear;
using nn::Tensor;
using nn::WeightReader;

constexpr std::int64_t kLargestWidth = 4096;  // of any layer; the published ones have 1536

std::int64_t DimOf(const WeightReader& reader, std::string_view name, std::size_t dim) {
  const auto shape = reader.Shape(name);
  return shape && dim < shape->size() ? (*shape)[dim] : 1;
}

// Conv1d with the batch norm behind it folded in; "same" padding.
nn::Conv1d TakeConvNorm(WeightReader reader, std::int64_t outputs, std::int64_t inputs,
                        Activation activation, nn::Precision precision) {
  nn::Weight weight = reader.Take("0.conv.weight", {outputs, inputs, -1});
  nn::Weight bias = reader.Take("0.conv.bias", {outputs});
  nn::FoldBatchNorm(nn::BatchNorm::Take(reader.Child("1"), outputs), weight, bias);
  return nn::Conv1d(std::move(weight), std::move(bias),
                    {.activation = activation, .precision = precision});
}

Linear TakeLinear(WeightReader reader, std::string_view layer, std::int64_t outputs,
                  std::int64_t inputs, bool bias, Activation activation, nn::Precision precision) {
  WeightReader linear = reader.Child(layer).Child("linear_layer");
  nn::Weight weight = linear.Take("weight", {outputs, inputs});
  nn::Weight offset;
  if (bias) offset = linear.Take("bias", {outputs});
  return Linear(std::move(weight), std::move(offset),
                {.activation = activation, .precision = precision});
}

struct Sizes {
  std::int64_t symbols, embedding, encoder_hidden;
  std::int64_t mel, prenet, attention_rnn, decoder_rnn, attention, memory;

  explicit Sizes(const WeightReader& reader)
      : symbols(DimOf(reader, "embedding.weight", 0)),
        embedding(DimOf(reader, "embedding.weight", 1)),
        encoder_hidden(DimOf(reader, "encoder.lstm.weight_hh_l0", 1)),
        mel(DimOf(reader, "decoder.prenet.layers.0.linear_layer.weight", 1)),
        prenet(DimOf(reader, "decoder.prenet.layers.0.linear_layer.weight", 0)),
        attention_rnn(DimOf(reader, "decoder.attention_rnn.weight_hh", 1)),
        decoder_rnn(DimOf(reader, "decoder.decoder_rnn.weight_hh", 1)),
        attention(DimOf(reader, "decoder.attention_layer.memory_layer.linear_layer.weight", 0)),
        memory(DimOf(reader, "decoder.attention_layer.memory_layer.linear_layer.weight", 1)) {}

  std::int64_t speaker() const { return memory - 2 * encoder_hidden; }
  bool Sensible() const {
    const std::array all = {embedding,     encoder_hidden, mel,       prenet,
                            attention_rnn, decoder_rnn,    attention, memory};
    return std::ranges::all_of(all, [](std::int64_t n) { return n >= 1 && n <= kLargestWidth; });
  }
};

LocationAttention TakeAttention(WeightReader reader, std::int64_t attention) {
  WeightReader location = reader.Child("location_layer");
  nn::Weight conv = location.Take("location_conv.conv.weight", {-1, 2, -1});
  const std::int64_t filters = DimOf(location, "location_conv.conv.weight", 0);
  return LocationAttention(
      {.conv = std::move(conv),
       .conv_bias = {},
       .dense = location.Take("location_dense.linear_layer.weight", {attention, filters}),
       .v = reader.Take("v.linear_layer.weight", {1, attention})});
}

std::vector<nn::Conv1d> TakeEncoder(WeightReader reader, const Sizes& sizes,
                                    nn::Precision precision) {
  std::vector<nn::Conv1d> convolutions;
  for (int i = 0; reader.Has(fmt::format("{}.0.conv.weight", i)); ++i) {
    convolutions.push_back(TakeConvNorm(reader.Child(std::to_string(i)), sizes.embedding,
                                        sizes.embedding, Activation::kRelu, precision));
  }
  return convolutions;
}

std::vector<nn::Conv1d> TakePostnet(WeightReader reader, std::int64_t mel,
                                    nn::Precision precision) {
  std::vector<nn::Conv1d> convolutions;
  std::int64_t inputs = mel;
  for (int i = 0; reader.Has(fmt::format("{}.0.conv.weight", i)); ++i) {
    const bool last = !reader.Has(fmt::format("{}.0.conv.weight", i + 1));
    const std::int64_t outputs = last ? mel : DimOf(reader, fmt::format("{}.0.conv.weight", i), 0);
    convolutions.push_back(TakeConvNorm(reader.Child(std::to_string(i)), outputs, inputs,
                                        last ? Activation::kNone : Activation::kTanh, precision));
    inputs = outputs;
  }
  return convolutions;
}

}  // namespace

struct NvidiaTacotron2::Layers {
  Layers(WeightReader reader, const Sizes& all_sizes, nn::Precision precision)
      : sizes(all_sizes),
        embedding(reader.Take("embedding.weight", {sizes.symbols, sizes.embedding})),
        encoder_convolutions(TakeEncoder(reader.Child("encoder.convolutions"), sizes, precision)),
        encoder_forward(TakeLstm(reader.Child("encoder.lstm"), "_l0", sizes.embedding,
                                 sizes.encoder_hidden, precision)),
        encoder_backward(TakeLstm(reader.Child("encoder.lstm"), "_l0_reverse", sizes.embedding,
                                  sizes.encoder_hidden, precision)),
        prenet1(TakeLinear(reader.Child("decoder.prenet.layers"), "0", sizes.prenet, sizes.mel,
                           false, Activation::kRelu, precision)),
        prenet2(TakeLinear(reader.Child("decoder.prenet.layers"), "1", sizes.prenet, sizes.prenet,
                           false, Activation::kRelu, precision)),
        attention_rnn(TakeLstm(reader.Child("decoder.attention_rnn"), "",
                               sizes.prenet + sizes.memory, sizes.attention_rnn, precision)),
        query_layer(TakeLinear(reader.Child("decoder.attention_layer"), "query_layer",
                               sizes.attention, sizes.attention_rnn, false, Activation::kNone,
                               precision)),
        memory_layer(TakeLinear(reader.Child("decoder.attention_layer"), "memory_layer",
                                sizes.attention, sizes.memory, false, Activation::kNone,
                                precision)),
        attention(TakeAttention(reader.Child("decoder.attention_layer"), sizes.attention)),
        decoder_rnn(TakeLstm(reader.Child("decoder.decoder_rnn"), "",
                             sizes.attention_rnn + sizes.memory, sizes.decoder_rnn, precision)),
        linear_projection(TakeLinear(reader.Child("decoder"), "linear_projection", sizes.mel,
                                     sizes.decoder_rnn + sizes.memory, true, Activation::kNone,
                                     precision)),
        gate_layer(TakeLinear(reader.Child("decoder"), "gate_layer", 1,
                              sizes.decoder_rnn + sizes.memory, true, Activation::kNone,
                              nn::Precision::kF32)),
        postnet(TakePostnet(reader.Child("postnet.convolutions"), sizes.mel, precision)) {}

  static nn::Lstm TakeLstm(WeightReader reader, std::string_view suffix, std::int64_t inputs,
                           std::int64_t hidden, nn::Precision precision) {
    return nn::Lstm::Take(reader, suffix, inputs, hidden, precision);
  }

  Sizes sizes;
  nn::Weight embedding;                          // [symbols, embedding]
  std::vector<nn::Conv1d> encoder_convolutions;  // batch norm folded in
  nn::Lstm encoder_forward, encoder_backward;
  Linear prenet1, prenet2;
  nn::Lstm attention_rnn;
  Linear query_layer, memory_layer;
  LocationAttention attention;
  nn::Lstm decoder_rnn;
  Linear linear_projection, gate_layer;
  std::vector<nn::Conv1d> postnet;  // batch norm folded in
};

NvidiaTacotron2::NvidiaTacotron2(std::unique_ptr<const Layers> layers)
    : layers_(std::move(layers)) {}
NvidiaTacotron2::~NvidiaTacotron2() = default;

Result<std::shared_ptr<const NvidiaTacotron2>> NvidiaTacotron2::Load(const WeightReader& checkpoint,
                                                                     nn::Precision precision) {
  WeightReader reader = checkpoint;
  const Sizes sizes(reader);
  if (!sizes.Sensible() || sizes.speaker() < 0) {
    return Fail(ErrorCode::kUnsupported, "wrong_shape",
                "the layer sizes of this checkpoint do not make a Tacotron 2 of NVIDIA's form (the "
                "decoder reads {} values per symbol, the encoder writes {}); likely this is a "
                "checkpoint of another program",
                sizes.memory, 2 * sizes.encoder_hidden);
  }
  auto layers = std::make_unique<const Layers>(reader, sizes, precision);
  if (auto status = reader.status(); !status) {
    Error error = std::move(status).error();
    error.message +=
        "; likely this is a checkpoint of another program or version, or of changed model sizes";
    return std::unexpected(std::move(error));
  }
  return std::shared_ptr<const NvidiaTacotron2>(new NvidiaTacotron2(std::move(layers)));
}

int NvidiaTacotron2::symbols() const { return static_cast<int>(layers_->sizes.symbols); }
int NvidiaTacotron2::speaker_size() const { return static_cast<int>(layers_->sizes.speaker()); }
int NvidiaTacotron2::mel_bins() const { return static_cast<int>(layers_->sizes.mel); }

MelFormat NvidiaTacotron2::mel_format() const {
  return {.sample_rate = 22050,
          .hop = 256,
          .bins = mel_bins(),
          .fmax = 8000,
          .scale = MelScale::kNaturalLog};
}

Tensor NvidiaTacotron2::RunEncoder(std::span<const std::int32_t> ids) const {
  Tensor x, y;  // [symbols, embedding]
  nn::Embed(layers_->embedding, ids, x);
  for (const nn::Conv1d& convolution : layers_->encoder_convolutions) {
    convolution.Forward(x, y);
    std::swap(x, y);
  }
  nn::Bidirectional(layers_->encoder_forward, layers_->encoder_backward, x, y);
  return y;  // [symbols, 2 * hidden]
}

Result<NvidiaTacotron2::Encoded> NvidiaTacotron2::Encode(std::span<const std::int32_t> ids,
                                                         std::span<const float> speaker) const {
  TIMBRE_TRY(CheckSymbols(ids, symbols()));
  TIMBRE_TRY(CheckSpeaker(speaker, speaker_size()));
  Encoded encoded;
  encoded.values = AppendToRows(RunEncoder(ids), speaker);
  layers_->memory_layer.Forward(encoded.values, encoded.keys);
  return encoded;
}

NvidiaTacotron2::Generation NvidiaTacotron2::Start(Encoded encoded, DecodeOptions options) const {
  Generation generation{.encoded = std::move(encoded), .options = std::move(options)};
  generation.attention = layers_->attention.Start(generation.encoded);
  generation.attention_rnn = layers_->attention_rnn.Start();
  generation.decoder_rnn = layers_->decoder_rnn.Start();
  generation.context = Tensor(1, layers_->sizes.memory);
  generation.frame = Tensor(1, layers_->sizes.mel);
  return generation;
}

void NvidiaTacotron2::Step(std::span<Generation* const> group) const {
  const auto rows = static_cast<std::int64_t>(group.size());
  Tensor frame, x, y;

  GatherRows(
      group, [](Generation& g) -> Tensor& { return g.frame; }, frame);
  layers_->prenet1.Forward(frame, x);
  for (std::int64_t i = 0; i < rows; ++i) group[i]->options.decoder_dropout.Apply(x.row(i));
  layers_->prenet2.Forward(x, y);
  for (std::int64_t i = 0; i < rows; ++i) group[i]->options.decoder_dropout.Apply(y.row(i));

  Tensor context, input;  // [rows, memory], [rows, prenet + memory]
  GatherRows(
      group, [](Generation& g) -> Tensor& { return g.context; }, context);
  nn::ConcatColumns({&y, &context}, input);
  nn::Lstm::State attention_rnn;
  GatherLstm(group, &Generation::attention_rnn, attention_rnn);
  layers_->attention_rnn.Step(input, attention_rnn);
  ScatterLstm(attention_rnn, group, &Generation::attention_rnn);

  Tensor query;  // [rows, attention]
  layers_->query_layer.Forward(attention_rnn.h, query);
  for (std::int64_t i = 0; i < rows; ++i) {
    Generation& one = *group[i];
    layers_->attention.Step(std::as_const(query).row(i), one.encoded, one.attention,
                            one.context.row(0));
  }
  GatherRows(
      group, [](Generation& g) -> Tensor& { return g.context; }, context);

  nn::ConcatColumns({&attention_rnn.h, &context}, input);
  nn::Lstm::State decoder_rnn;
  GatherLstm(group, &Generation::decoder_rnn, decoder_rnn);
  layers_->decoder_rnn.Step(input, decoder_rnn);
  ScatterLstm(decoder_rnn, group, &Generation::decoder_rnn);

  Tensor gate;  // [rows, 1]
  nn::ConcatColumns({&decoder_rnn.h, &context}, input);
  layers_->linear_projection.Forward(input, frame);
  layers_->gate_layer.Forward(input, gate);
  ScatterRows(frame, group, [](Generation& g) -> Tensor& { return g.frame; });
  for (std::int64_t i = 0; i < rows; ++i) {
    Generation& one = *group[i];
    one.gate_logit = gate.at(i, 0);
    ++one.frames;
    const int limit = one.options.max_frames > 0 ? one.options.max_frames : kMaxFrames;
    if (Probability(one.gate_logit) > one.options.stop_threshold) {
      one.stopped = StopReason::kStopSignal;
    } else if (one.options.rest_limit > 0 && one.attention.rested >= one.options.rest_limit) {
      one.stopped = StopReason::kRested;
    } else if (one.frames >= limit) {
      one.stopped = StopReason::kMaxFrames;
    }
  }
}

NvidiaTacotron2::PostnetState NvidiaTacotron2::StartPostnet() const {
  return {.convolutions = std::vector<nn::Conv1d::State>(layers_->postnet.size())};
}

void NvidiaTacotron2::Postnet(PostnetState& state, const Tensor& mel, bool last,
                              Tensor& out) const {
  state.mel.Append(mel);
  Tensor x = mel, y;
  for (std::size_t i = 0; i < layers_->postnet.size(); ++i) {
    layers_->postnet[i].Push(state.convolutions[i], x, last, y);
    std::swap(x, y);
  }
  state.mel.Take(x.rows(), out);
  if (x.rows() > 0) nn::Add(x, out);
}

}  // namespace timbre::models
