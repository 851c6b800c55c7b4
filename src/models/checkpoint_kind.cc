#include "models/checkpoint_kind.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "nn/stored_tensor.h"

namespace timbre::models {
namespace {

using Kind = nn::PickleValue::Kind;
using Shape = std::vector<std::int64_t>;

struct KindRow {
  CheckpointKind kind;
  const char* name;
  const char* text;
};
constexpr KindRow kKinds[] = {
    {CheckpointKind::kUnknown, "unknown", "unknown"},
    {CheckpointKind::kGe2eEncoder, "ge2e_encoder", "GE2E speaker encoder"},
    {CheckpointKind::kRtvcSynthesizer, "rtvc_synthesizer",
     "Real-Time-Voice-Cloning synthesizer (Tacotron)"},
    {CheckpointKind::kMockingBirdSynthesizer, "mockingbird_synthesizer",
     "MockingBird synthesizer (Tacotron with style tokens)"},
    {CheckpointKind::kNvidiaTacotron2, "nvidia_tacotron2", "NVIDIA Tacotron 2"},
    {CheckpointKind::kWaveRnn, "wavernn", "WaveRNN vocoder"},
    {CheckpointKind::kHifigan, "hifigan", "HiFi-GAN generator"},
    {CheckpointKind::kHifiganTraining, "hifigan_training",
     "HiFi-GAN discriminators (for training only)"},
    {CheckpointKind::kNatSynthesizer, "nat_synthesizer", "Non-Attentive Tacotron synthesizer"},
    {CheckpointKind::kGptSovitsT2s, "gpt_sovits_t2s", "GPT-SoVITS text-to-semantic model"},
    {CheckpointKind::kGptSovitsDecoder, "gpt_sovits_decoder", "GPT-SoVITS SoVITS model"},
};

const KindRow& RowOf(CheckpointKind kind) {
  return *std::ranges::find(kKinds, kind, &KindRow::kind);
}

// Size `d` of a tensor, or 0 when there is no such tensor.
std::int64_t Dim(const nn::Checkpoint& file, std::string_view name, std::size_t d) {
  const auto shape = file.Shape(name);
  return shape && d < shape->size() ? (*shape)[d] : 0;
}

// A layer's weight, plain or under weight norm.
Shape LayerShape(const nn::Checkpoint& file, const std::string& layer) {
  for (const char* suffix : {".weight_v", ".parametrizations.weight.original1", ".weight"})
    if (auto shape = file.Shape(layer + suffix)) return *shape;
  return {};
}

bool AnyStartsWith(const nn::Checkpoint& file, std::string_view prefix) {
  return std::ranges::any_of(file.tensors(), [&](const auto& named) {
    std::string_view name = named.first;
    if (!file.state_path().empty() && name.starts_with(file.state_path()))
      name.remove_prefix(std::min(name.size(), file.state_path().size() + 1));
    return name.starts_with(prefix);
  });
}

std::string HifiganVariant(const nn::Checkpoint& file) {
  const Shape pre = LayerShape(file, "conv_pre");
  const std::int64_t channels = pre.empty() ? 0 : pre[0];
  Shape kernels;  // of the upsampling stages
  for (int stage = 0;; ++stage) {
    const Shape up = LayerShape(file, "ups." + std::to_string(stage));
    if (up.size() != 3) break;
    kernels.push_back(up[2]);
  }
  const bool one = !LayerShape(file, "resblocks.0.convs1.0").empty();
  if (one && kernels == Shape{16, 16, 4, 4} && channels == 512) return "v1";
  if (one && kernels == Shape{16, 16, 4, 4} && channels == 128) return "v2";
  if (!one && kernels == Shape{16, 16, 8} && channels == 256) return "v3";
  if (one && kernels == Shape{10, 10, 8, 4}) return "MockingBird 16 kHz";
  return "other sizes";
}

std::string WaveRnnVariant(const nn::Checkpoint& file) {
  const auto classes = static_cast<std::uint64_t>(Dim(file, "fc3.weight", 0));
  if (classes == 30) return "mol";
  if (std::has_single_bit(classes))
    return "raw " + std::to_string(std::countr_zero(classes)) + " bits";
  return "other sizes";
}

// The digits that GPT-SoVITS writes first, else what the tensors tell. The official rule by file
// size is left out: it misjudges small models.
std::string SovitsVariant(const nn::Checkpoint& file) {
  constexpr std::pair<std::string_view, std::string_view> kDigits[] = {
      {"02", "v3"}, {"03", "v3 LoRA"}, {"04", "v4 LoRA"}, {"05", "v2Pro"}, {"06", "v2ProPlus"}};
  for (const auto& [digits, version] : kDigits)
    if (file.replaced_magic() == digits) return std::string(version);
  if (AnyStartsWith(file, "cfm.")) return "v3 or v4";
  if (AnyStartsWith(file, "sv_emb."))
    return Dim(file, "dec.conv_pre.weight", 0) == 768 ? "v2ProPlus" : "v2Pro";
  return Dim(file, "enc_p.text_embedding.weight", 0) == 322 ? "v1" : "v2";
}

// A value as one short line, or nothing for what is no number or short text.
std::optional<std::string> ValueText(const nn::PickleValue& value) {
  constexpr std::size_t kMaxText = 200;
  switch (value.kind) {
    case Kind::kBool:
      return value.integer ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.integer);
    case Kind::kFloat:
      return fmt::format("{}", value.number);
    case Kind::kString: {
      if (value.text.size() > kMaxText) return std::nullopt;
      std::string text = value.text;
      std::ranges::replace_if(
          text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
      return text;
    }
    default:
      return std::nullopt;
  }
}

// Values below a dictionary; bounded, since the file may be hostile.
void CollectValues(const nn::PickleValue& dict, const std::string& path, int depth,
                   std::vector<std::pair<std::string, std::string>>& values) {
  constexpr int kMaxDepth = 6;
  constexpr std::size_t kMaxValues = 500;
  constexpr std::size_t kMaxItems = 20'000;
  const std::size_t end = std::min(dict.items.size(), kMaxItems);
  for (std::size_t i = 0; i + 1 < end && values.size() < kMaxValues; i += 2) {
    const auto key = ValueText(*dict.items[i]);
    if (!key || (depth == 0 && key->starts_with("optim"))) continue;
    const std::string name = path.empty() ? *key : path + "." + *key;
    const nn::PickleValue& value = *dict.items[i + 1];
    if (const auto text = ValueText(value)) {
      values.emplace_back(name, *text);
    } else if ((value.kind == Kind::kDict || value.kind == Kind::kObject) && depth < kMaxDepth) {
      CollectValues(value, name, depth + 1, values);
    }
  }
}

bool IsFloating(nn::DType type) {
  return type == nn::DType::kF64 || type == nn::DType::kF32 || type == nn::DType::kF16 ||
         type == nn::DType::kBF16;
}

}  // namespace

const char* CheckpointKindName(CheckpointKind kind) { return RowOf(kind).name; }
const char* CheckpointKindText(CheckpointKind kind) { return RowOf(kind).text; }

CheckpointKind IdentifyCheckpoint(const nn::Checkpoint& file, std::string* variant) {
  const auto has = [&](std::string_view name) { return file.Find(name) != nullptr; };
  const auto is = [&](CheckpointKind kind, std::string found = {}) {
    if (variant) *variant = std::move(found);
    return kind;
  };
  if (has("similarity_weight") && has("lstm.weight_ih_l0") && has("linear.weight"))
    return is(CheckpointKind::kGe2eEncoder);
  if (has("encoder.embedding.weight") && has("encoder_proj.weight") && has("post_proj.weight"))
    return is(AnyStartsWith(file, "gst.") ? CheckpointKind::kMockingBirdSynthesizer
                                          : CheckpointKind::kRtvcSynthesizer);
  if (has("decoder.attention_rnn.weight_ih") && has("decoder.gate_layer.linear_layer.weight"))
    return is(CheckpointKind::kNvidiaTacotron2);
  if (has("upsample.resnet.conv_in.weight") && has("rnn1.weight_ih_l0") && has("fc3.weight"))
    return is(CheckpointKind::kWaveRnn, WaveRnnVariant(file));
  if (has("emb.weight") && has("dec.weight_ih_l0") && has("mel_mean") && has("spk.weight"))
    return is(CheckpointKind::kNatSynthesizer);
  if (has("model.ar_predict_layer.weight") && has("model.ar_text_position.alpha"))
    return is(CheckpointKind::kGptSovitsT2s,
              Dim(file, "model.ar_text_embedding.word_embeddings.weight", 0) == 512 ? "v1" : "v2");
  if (has("enc_p.text_embedding.weight") || AnyStartsWith(file, "cfm."))
    return is(CheckpointKind::kGptSovitsDecoder, SovitsVariant(file));
  if (!LayerShape(file, "conv_pre").empty() && !LayerShape(file, "ups.0").empty() &&
      !LayerShape(file, "conv_post").empty())
    return is(CheckpointKind::kHifigan, HifiganVariant(file));
  if (AnyStartsWith(file, "mpd.") && AnyStartsWith(file, "msd."))
    return is(CheckpointKind::kHifiganTraining);
  return is(CheckpointKind::kUnknown);
}

CheckpointSummary SummarizeCheckpoint(const nn::Checkpoint& file) {
  CheckpointSummary summary;
  summary.kind = IdentifyCheckpoint(file, &summary.variant);
  summary.container = nn::ContainerName(file.container());
  summary.version = file.format_version();
  if (!file.replaced_magic().empty())
    summary.version += (summary.version.empty() ? "" : ", ") + ("header " + file.replaced_magic());
  summary.state_path = file.state_path();
  CollectValues(file.root(), "", 0, summary.values);
  for (const std::string& name : file.Names()) {
    const nn::StoredTensor& tensor = *file.Find(name);
    summary.tensors.push_back({name, tensor.dtype, tensor.shape});
    const bool statistics = name.ends_with(".running_mean") || name.ends_with(".running_var");
    if (IsFloating(tensor.dtype) && !statistics) summary.parameters += tensor.size();
    // Counters that are stored as tensors: step, decoder.r.
    const bool counter = tensor.size() == 1 && !IsFloating(tensor.dtype);
    if (counter && !name.ends_with("num_batches_tracked"))
      summary.values.emplace_back(name, std::to_string(*file.Integer(name)));
  }
  return summary;
}

}  // namespace timbre::models
