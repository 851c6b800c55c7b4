#include "models/sv2tts/rtvc_synthesizer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/sv2tts/mockingbird_style.h"
#include "nn/linear.h"
#include "nn/ops.h"

namespace timbre::models {
namespace {

using nn::Activation;
using nn::Linear;
using nn::Tensor;
using nn::WeightReader;

constexpr std::int64_t kLargestWidth = 4096;  // of any layer; the published ones have 2560

std::int64_t DimOf(const WeightReader& reader, std::string_view name, std::size_t dim) {
  const auto shape = reader.Shape(name);
  return shape && dim < shape->size() ? (*shape)[dim] : 1;
}

struct Sizes {
  std::int64_t symbols, embedding, prenet1, prenet2, encoder;
  std::int64_t mel, decoder_prenet1, decoder_prenet2, attention, memory, lstm, max_r, style;

  explicit Sizes(const WeightReader& reader)
      : symbols(DimOf(reader, "encoder.embedding.weight", 0)),
        embedding(DimOf(reader, "encoder.embedding.weight", 1)),
        prenet1(DimOf(reader, "encoder.pre_net.fc1.weight", 0)),
        prenet2(DimOf(reader, "encoder.pre_net.fc2.weight", 0)),
        encoder(2 * DimOf(reader, "encoder.cbhg.rnn.weight_hh_l0", 1)),
        mel(DimOf(reader, "decoder.prenet.fc1.weight", 1)),
        decoder_prenet1(DimOf(reader, "decoder.prenet.fc1.weight", 0)),
        decoder_prenet2(DimOf(reader, "decoder.prenet.fc2.weight", 0)),
        attention(DimOf(reader, "encoder_proj.weight", 0)),
        memory(DimOf(reader, "encoder_proj.weight", 1)),
        lstm(DimOf(reader, "decoder.res_rnn1.weight_hh", 1)),
        max_r(DimOf(reader, "decoder.mel_proj.weight", 0) / std::max<std::int64_t>(mel, 1)),
        style(DimOf(reader, "gst.stl.attention.W_query.weight", 0)) {
    if (!reader.Has("gst.stl.attention.W_query.weight")) style = 0;
  }

  std::int64_t speaker() const { return memory - encoder - style; }
  bool Sensible() const {
    const std::array all = {embedding, prenet1,         prenet2,         encoder, mel,
                            attention, decoder_prenet1, decoder_prenet2, memory,  lstm};
    return std::ranges::all_of(all, [](std::int64_t n) { return n >= 1 && n <= kLargestWidth; });
  }
};

Linear TakeLinear(WeightReader reader, std::string_view layer, std::int64_t outputs,
                  std::int64_t inputs, bool bias, Activation activation, nn::Precision precision) {
  WeightReader linear = reader.Child(layer);
  nn::Weight weight = linear.Take("weight", {outputs, inputs});
  nn::Weight offset;
  if (bias) offset = linear.Take("bias", {outputs});
  return Linear(std::move(weight), std::move(offset),
                {.activation = activation, .precision = precision});
}

nn::Lstm TakeLstm(WeightReader reader, std::int64_t size, nn::Precision precision) {
  return nn::Lstm::Take(reader, "", size, size, precision);
}

nn::Gru TakeGru(WeightReader reader, std::int64_t inputs, std::int64_t hidden,
                nn::Precision precision) {
  return nn::Gru::Take(reader, "", inputs, hidden, precision);
}

LocationAttention TakeAttention(WeightReader reader, std::int64_t attention) {
  nn::Weight conv = reader.Take("conv.weight", {-1, 1, -1});
  const std::int64_t filters = DimOf(reader, "conv.weight", 0);
  return LocationAttention({.conv = std::move(conv),
                            .conv_bias = reader.Take("conv.bias", {filters}),
                            .dense = reader.Take("L.weight", {attention, filters}),
                            .v = reader.Take("v.weight", {1, attention})});
}

int TakeR(WeightReader reader, std::int64_t max_r) {
  // A buffer of one number, written as a scalar or as a vector of one.
  nn::Weight r;
  const auto shape = reader.Shape("decoder.r");
  if (shape && shape->size() == 1) {
    r = reader.Take("decoder.r", {1});
  } else {
    r = reader.Take("decoder.r", {});
  }
  const float value = r.values.empty() ? 0.0F : r.values.front();
  if (!(value >= 1.0F && value <= static_cast<float>(max_r))) {
    reader.Refuse({ErrorCode::kUnsupported, "wrong_reduction_factor",
                   fmt::format("decoder.r is {}, but decoder.mel_proj has room for 1 to {} frames",
                               value, max_r)});
    return 1;
  }
  return static_cast<int>(value);
}

// mel_proj writes max_r frames band by band; only the first r are used. Here row j * mel + band.
Linear TakeMelProjection(WeightReader reader, const Sizes& sizes, int r, nn::Precision precision) {
  const nn::Weight all =
      reader.Take("decoder.mel_proj.weight", {sizes.mel * sizes.max_r, sizes.lstm});
  nn::Weight used{{r * sizes.mel, sizes.lstm}, std::vector<float>(r * sizes.mel * sizes.lstm)};
  if (all.size() == sizes.mel * sizes.max_r * sizes.lstm) {
    for (std::int64_t j = 0; j < r; ++j) {
      for (std::int64_t band = 0; band < sizes.mel; ++band) {
        std::copy_n(all.values.data() + (band * sizes.max_r + j) * sizes.lstm, sizes.lstm,
                    used.values.data() + (j * sizes.mel + band) * sizes.lstm);
      }
    }
  }
  return Linear(std::move(used), {}, {.precision = precision});
}

std::optional<MockingBirdStyle> TakeStyle(WeightReader reader, const Sizes& sizes) {
  if (sizes.style == 0) return std::nullopt;
  return MockingBirdStyle(reader.Child("gst"), sizes.speaker());
}

float TakeSilenceLevel(WeightReader reader) {
  if (!reader.Has("stop_threshold")) return -3.4F;
  const nn::Weight level = reader.Take("stop_threshold", {});
  return level.values.empty() ? -3.4F : level.values.front();
}

// What usually lies behind a tensor that does not fit.
Error WithLikelyCause(Error error) {
  error.message +=
      "; likely this is a checkpoint of another program or version, or of changed model sizes "
      "(known: Real-Time-Voice-Cloning's synthesizer.pt and MockingBird's synthesizer)";
  return error;
}

}  // namespace

struct RtvcSynthesizer::Layers {
  Layers(WeightReader reader, const Sizes& all_sizes, nn::Precision precision)
      : sizes(all_sizes),
        r(TakeR(reader, sizes.max_r)),
        silence_level(TakeSilenceLevel(reader)),
        embedding(reader.Take("encoder.embedding.weight", {sizes.symbols, sizes.embedding})),
        pre_net1(TakeLinear(reader.Child("encoder.pre_net"), "fc1", sizes.prenet1, sizes.embedding,
                            true, Activation::kRelu, precision)),
        pre_net2(TakeLinear(reader.Child("encoder.pre_net"), "fc2", sizes.prenet2, sizes.prenet1,
                            true, Activation::kRelu, precision)),
        cbhg(reader.Child("encoder.cbhg"), sizes.prenet2, precision),
        style(TakeStyle(reader, sizes)),
        encoder_proj(TakeLinear(reader, "encoder_proj", sizes.attention, sizes.memory, false,
                                Activation::kNone, precision)),
        prenet1(TakeLinear(reader.Child("decoder.prenet"), "fc1", sizes.decoder_prenet1, sizes.mel,
                           true, Activation::kRelu, precision)),
        prenet2(TakeLinear(reader.Child("decoder.prenet"), "fc2", sizes.decoder_prenet2,
                           sizes.decoder_prenet1, true, Activation::kRelu, precision)),
        attn_rnn(TakeGru(reader.Child("decoder.attn_rnn"), sizes.memory + sizes.decoder_prenet2,
                         sizes.attention, precision)),
        attn_query(TakeLinear(reader.Child("decoder.attn_net"), "W", sizes.attention,
                              sizes.attention, true, Activation::kNone, precision)),
        attn_net(TakeAttention(reader.Child("decoder.attn_net"), sizes.attention)),
        rnn_input(TakeLinear(reader.Child("decoder"), "rnn_input", sizes.lstm,
                             sizes.memory + sizes.attention, true, Activation::kNone, precision)),
        res_rnn1(TakeLstm(reader.Child("decoder.res_rnn1"), sizes.lstm, precision)),
        res_rnn2(TakeLstm(reader.Child("decoder.res_rnn2"), sizes.lstm, precision)),
        mel_proj(TakeMelProjection(reader, sizes, r, precision)),
        stop_proj(TakeLinear(reader.Child("decoder"), "stop_proj", 1, sizes.lstm + sizes.memory,
                             true, Activation::kNone, nn::Precision::kF32)),
        postnet(reader.Child("postnet"), sizes.mel, precision),
        post_proj(TakeLinear(reader, "post_proj", sizes.mel, postnet.outputs(), false,
                             Activation::kNone, precision)) {}

  Sizes sizes;
  int r;
  float silence_level;
  nn::Weight embedding;  // [symbols, embedding]
  Linear pre_net1, pre_net2;
  Cbhg cbhg;
  std::optional<MockingBirdStyle> style;
  Linear encoder_proj;
  Linear prenet1, prenet2;
  nn::Gru attn_rnn;
  Linear attn_query;
  LocationAttention attn_net;
  Linear rnn_input;
  nn::Lstm res_rnn1, res_rnn2;
  Linear mel_proj;  // [lstm -> r * mel], frame by frame
  Linear stop_proj;
  Cbhg postnet;
  Linear post_proj;
};

RtvcSynthesizer::RtvcSynthesizer(std::unique_ptr<const Layers> layers)
    : layers_(std::move(layers)) {}
RtvcSynthesizer::~RtvcSynthesizer() = default;

Result<std::shared_ptr<const RtvcSynthesizer>> RtvcSynthesizer::Load(const WeightReader& checkpoint,
                                                                     nn::Precision precision) {
  WeightReader reader = checkpoint;
  const Sizes sizes(reader);
  if (reader.Has("encoder.embedding.weight") && sizes.symbols != 66 && sizes.symbols != 75 &&
      sizes.symbols != 70) {
    return Fail(ErrorCode::kUnsupported, "unknown_symbol_set",
                "encoder.embedding.weight has {} rows, one per text symbol; known are 66 "
                "(Real-Time-Voice-Cloning, English), 75 and 70 (MockingBird, pinyin); likely the "
                "model was trained with another text front end",
                sizes.symbols);
  }
  if (!sizes.Sensible() || sizes.speaker() < 0) {
    return Fail(ErrorCode::kUnsupported, "wrong_shape",
                "the layer sizes of this checkpoint do not make a synthesizer (encoder_proj reads "
                "{} values per symbol, the encoder writes {}, style tokens add {}); likely this is "
                "a checkpoint of another program",
                sizes.memory, sizes.encoder, sizes.style);
  }
  auto layers = std::make_unique<const Layers>(reader, sizes, precision);
  if (auto status = reader.status(); !status) {
    return std::unexpected(WithLikelyCause(std::move(status).error()));
  }
  return std::shared_ptr<const RtvcSynthesizer>(new RtvcSynthesizer(std::move(layers)));
}

RtvcSymbols RtvcSynthesizer::symbol_set() const {
  if (layers_->sizes.symbols == 75) return RtvcSymbols::kMockingBird75;
  if (layers_->sizes.symbols == 70) return RtvcSymbols::kMockingBird70;
  return RtvcSymbols::kEnglish66;
}

int RtvcSynthesizer::symbols() const { return static_cast<int>(layers_->sizes.symbols); }
int RtvcSynthesizer::speaker_size() const { return static_cast<int>(layers_->sizes.speaker()); }
int RtvcSynthesizer::style_tokens() const { return layers_->style ? layers_->style->tokens() : 0; }
int RtvcSynthesizer::mel_bins() const { return static_cast<int>(layers_->sizes.mel); }
int RtvcSynthesizer::frames_per_step() const { return layers_->r; }
float RtvcSynthesizer::silence_level() const { return layers_->silence_level; }

MelFormat RtvcSynthesizer::mel_format(int hop) const {
  return {.sample_rate = 16000,
          .hop = hop,
          .bins = mel_bins(),
          .fmax = 7600,
          .scale = MelScale::kSymmetricDecibel};
}

Tensor RtvcSynthesizer::RunEncoder(std::span<const std::int32_t> ids,
                                   PrenetDropout& dropout) const {
  Tensor x, y;  // [symbols, ...]
  nn::Embed(layers_->embedding, ids, x);
  layers_->pre_net1.Forward(x, y);
  dropout.Apply(y);
  layers_->pre_net2.Forward(y, x);
  dropout.Apply(x);
  return layers_->cbhg(x);  // [symbols, 2 * hidden]
}

Result<std::vector<float>> RtvcSynthesizer::Style(int token, std::span<const float> speaker) const {
  if (!layers_->style) return std::vector<float>{};
  if (token < MockingBirdStyle::kFromSpeaker || token >= style_tokens()) {
    return Fail(ErrorCode::kInvalidArgument, "unknown_style",
                "style {} is outside -1 (from the speaker) to {}", token, style_tokens() - 1);
  }
  return layers_->style->Vector(token, speaker);
}

Result<RtvcSynthesizer::Encoded> RtvcSynthesizer::Encode(std::span<const std::int32_t> ids,
                                                         std::span<const float> speaker,
                                                         DecodeOptions& options) const {
  TIMBRE_TRY(CheckSymbols(ids, symbols()));
  TIMBRE_TRY(CheckSpeaker(speaker, speaker_size()));
  TIMBRE_ASSIGN(const std::vector<float> style, Style(options.style, speaker));
  std::vector<float> voice(speaker.begin(), speaker.end());
  voice.insert(voice.end(), style.begin(), style.end());
  Encoded encoded;
  encoded.values = AppendToRows(RunEncoder(ids, options.encoder_dropout), voice);
  layers_->encoder_proj.Forward(encoded.values, encoded.keys);
  for (const std::int32_t id : ids) encoded.ignored.push_back(id == 0);
  return encoded;
}

RtvcSynthesizer::Generation RtvcSynthesizer::Start(Encoded encoded, DecodeOptions options) const {
  Generation generation{.encoded = std::move(encoded), .options = std::move(options)};
  generation.attention = layers_->attn_net.Start(generation.encoded);
  generation.attn_rnn = layers_->attn_rnn.Start();
  generation.res_rnn1 = layers_->res_rnn1.Start();
  generation.res_rnn2 = layers_->res_rnn2.Start();
  generation.context = Tensor(1, layers_->sizes.memory);
  generation.frames = Tensor(layers_->r, layers_->sizes.mel);
  return generation;
}

void RtvcSynthesizer::Step(std::span<Generation* const> group) const {
  const auto rows = static_cast<std::int64_t>(group.size());
  const Sizes& sizes = layers_->sizes;
  const auto context_of = [](Generation& g) -> Tensor& { return g.context; };

  Tensor last(rows, sizes.mel);  // the last frame of the step before
  for (std::int64_t i = 0; i < rows; ++i) {
    std::ranges::copy(std::as_const(group[i]->frames).row(layers_->r - 1), last.row(i).begin());
  }
  Tensor x, prenet;
  layers_->prenet1.Forward(last, x);
  for (std::int64_t i = 0; i < rows; ++i) group[i]->options.decoder_dropout.Apply(x.row(i));
  layers_->prenet2.Forward(x, prenet);
  for (std::int64_t i = 0; i < rows; ++i) group[i]->options.decoder_dropout.Apply(prenet.row(i));

  Tensor context, input;  // [rows, memory], [rows, memory + prenet]
  GatherRows(group, context_of, context);
  nn::ConcatColumns({&context, &prenet}, input);
  const auto attn_hidden_of = [](Generation& g) -> Tensor& { return g.attn_rnn.h; };
  nn::Gru::State attn_rnn;
  GatherRows(group, attn_hidden_of, attn_rnn.h);
  layers_->attn_rnn.Step(input, attn_rnn);
  ScatterRows(attn_rnn.h, group, attn_hidden_of);

  Tensor query;  // [rows, attention]
  layers_->attn_query.Forward(attn_rnn.h, query);
  for (std::int64_t i = 0; i < rows; ++i) {
    Generation& one = *group[i];
    layers_->attn_net.Step(std::as_const(query).row(i), one.encoded, one.attention,
                           one.context.row(0));
  }
  GatherRows(group, context_of, context);

  nn::ConcatColumns({&context, &attn_rnn.h}, input);
  layers_->rnn_input.Forward(input, x);  // [rows, lstm]
  nn::Lstm::State res_rnn;
  GatherLstm(group, &Generation::res_rnn1, res_rnn);
  layers_->res_rnn1.Step(x, res_rnn);
  ScatterLstm(res_rnn, group, &Generation::res_rnn1);
  nn::Add(res_rnn.h, x);
  GatherLstm(group, &Generation::res_rnn2, res_rnn);
  layers_->res_rnn2.Step(x, res_rnn);
  ScatterLstm(res_rnn, group, &Generation::res_rnn2);
  nn::Add(res_rnn.h, x);

  Tensor mel, stop;  // [rows, r * mel], [rows, 1]
  layers_->mel_proj.Forward(x, mel);
  nn::ConcatColumns({&x, &context}, input);
  layers_->stop_proj.Forward(input, stop);
  for (std::int64_t i = 0; i < rows; ++i) {
    Generation& one = *group[i];
    std::ranges::copy(std::as_const(mel).row(i), one.frames.data());
    one.stop_logit = stop.at(i, 0);
    const int first_frame = one.frame_count;  // the official rule looks at the step's first frame
    one.frame_count += layers_->r;
    const int limit = one.options.max_frames > 0 ? one.options.max_frames : kMaxFrames;
    if (Probability(one.stop_logit) > one.options.stop_threshold && first_frame > kMinFrames) {
      one.stopped = StopReason::kStopSignal;
    } else if (one.options.rest_limit > 0 && one.attention.rested >= one.options.rest_limit) {
      one.stopped = StopReason::kRested;
    } else if (one.frame_count >= limit) {
      one.stopped = StopReason::kMaxFrames;
    }
  }
}

RtvcSynthesizer::PostnetState RtvcSynthesizer::StartPostnet(int future) const {
  return {.cbhg = layers_->postnet.Start(), .future = future};
}

void RtvcSynthesizer::Postnet(PostnetState& state, const Tensor& mel, bool last,
                              Tensor& out) const {
  Tensor x;
  layers_->postnet.Push(state.cbhg, mel, last, state.future, x);
  layers_->post_proj.Forward(x, out);
}

}  // namespace timbre::models
