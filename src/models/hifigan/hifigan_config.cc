#include "models/hifigan/hifigan_config.h"

#include <numeric>
#include <optional>

#include "models/json_fields.h"

namespace timbre::models {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 64 << 10;
constexpr int kMaxStages = 8;
constexpr int kMaxBlocks = 8;
constexpr int kMaxDilations = 8;
constexpr int kMaxHop = 4096;

std::unexpected<Error> Invalid(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "vocoder_config_invalid",
              "the vocoder's config.json is not usable: {}", what);
}

// MockingBird trains its 16 kHz generator on its synthesizer's own decibel mels; everyone else on
// the paper's natural logarithm.
MelScale ScaleOf(int sample_rate, int hop) {
  return sample_rate == 16000 && hop == 200 ? MelScale::kSymmetricDecibel : MelScale::kNaturalLog;
}

std::optional<std::string> Inconsistency(const HifiGanConfig& config) {
  if (config.upsample_rates.size() != config.upsample_kernel_sizes.size()) {
    return "upsample_rates and upsample_kernel_sizes differ in length";
  }
  if (config.resblock_kernel_sizes.size() != config.resblock_dilation_sizes.size()) {
    return "resblock_kernel_sizes and resblock_dilation_sizes differ in length";
  }
  int hop = 1;
  for (std::size_t i = 0; i < config.upsample_rates.size(); ++i) {
    if (config.upsample_kernel_sizes[i] < config.upsample_rates[i]) {
      return "an upsampling kernel is smaller than its rate";
    }
    hop *= config.upsample_rates[i];
    if (hop > kMaxHop) return "the upsampling rates multiply to more than 4096";
  }
  if (hop != config.mel.hop) return "hop_size is not the product of upsample_rates";
  if (config.upsample_initial_channel % (1 << config.upsample_rates.size()) != 0) {
    return "upsample_initial_channel cannot be halved at every stage";
  }
  for (const int kernel : config.resblock_kernel_sizes) {
    if (kernel % 2 == 0) return "a residual block's kernel size is even";
  }
  return std::nullopt;
}

// Shape of a layer's weight, with or without weight norm.
std::optional<std::vector<std::int64_t>> LayerShape(const nn::WeightReader& reader,
                                                    const std::string& layer) {
  for (const char* suffix : {".weight_v", ".parametrizations.weight.original1", ".weight"}) {
    if (auto shape = reader.Shape(layer + suffix); shape && shape->size() == 3) return shape;
  }
  return std::nullopt;
}

}  // namespace

int HifiGanConfig::LookAheadFrames() const {
  // Input rows after its own that output row `n` needs, carried back from the samples to the mel.
  std::int64_t ahead = 3;  // conv_post
  for (std::size_t stage = upsample_rates.size(); stage-- > 0;) {
    std::int64_t widest = 0;
    for (std::size_t j = 0; j < resblock_kernel_sizes.size(); ++j) {
      std::int64_t sum = 0;
      for (const int dilation : resblock_dilation_sizes[j]) {
        const int half = (resblock_kernel_sizes[j] - 1) / 2;
        sum += half * dilation + (resblock == 1 ? half : 0);
      }
      widest = std::max(widest, sum);
    }
    const int rate = upsample_rates[stage];
    const int padding = (upsample_kernel_sizes[stage] - rate + 1) / 2;
    ahead = (ahead + widest + padding + rate - 1) / rate;
  }
  return static_cast<int>(ahead + 3);  // conv_pre
}

Result<HifiGanConfig> ParseHifiGanConfig(std::string_view json_text) {
  const json object = ParseJsonObject(json_text, kMaxConfigBytes);
  if (object.is_discarded()) return Invalid("it is no JSON object of at most 64 KiB");

  HifiGanConfig config;
  const auto resblock = object.find("resblock");  // "1" in the official files
  if (resblock != object.end() && (*resblock == "1" || *resblock == 1)) {
    config.resblock = 1;
  } else if (resblock != object.end() && (*resblock == "2" || *resblock == 2)) {
    config.resblock = 2;
  } else {
    return Invalid("\"resblock\" is neither 1 nor 2");
  }

  JsonFields fields(object);
  config.upsample_initial_channel = fields.Int("upsample_initial_channel", 2, 4096);
  config.upsample_rates = fields.Ints("upsample_rates", kMaxStages, 1, 64);
  config.upsample_kernel_sizes = fields.Ints("upsample_kernel_sizes", kMaxStages, 1, 128);
  config.resblock_kernel_sizes = fields.Ints("resblock_kernel_sizes", kMaxBlocks, 1, 63);
  config.resblock_dilation_sizes =
      fields.IntLists("resblock_dilation_sizes", kMaxBlocks, kMaxDilations, 1, 128);
  config.mel.bins = fields.Int("num_mels", 1, 1024);
  config.mel.sample_rate = fields.Int("sampling_rate", 8000, 192000);
  config.mel.hop = fields.Int("hop_size", 1, kMaxHop);
  if (fields.Has("fmax")) config.mel.fmax = fields.Int("fmax", 0, 96000);
  if (fields.problem()) return Invalid(*fields.problem());
  if (const auto problem = Inconsistency(config)) return Invalid(*problem);
  config.mel.scale = ScaleOf(config.mel.sample_rate, config.mel.hop);
  return config;
}

Result<HifiGanConfig> ReadHifiGanConfig(const std::filesystem::path& path) {
  TIMBRE_ASSIGN(const std::string text, ReadSmallFile(path, kMaxConfigBytes));
  return ParseHifiGanConfig(text);
}

Result<HifiGanConfig> InferHifiGanConfig(const nn::WeightReader& generator) {
  const auto refuse = [](std::string_view why) {
    return Fail(ErrorCode::kUnsupported, "vocoder_config_missing",
                "the vocoder has no config.json beside it and its weights do not tell its sizes "
                "({}); put the config.json of its training next to it",
                why);
  };
  const auto pre = LayerShape(generator, "conv_pre");
  if (!pre) return refuse("no conv_pre");

  HifiGanConfig config;
  config.upsample_initial_channel = static_cast<int>(std::min<std::int64_t>((*pre)[0], 1 << 20));
  config.mel.bins = static_cast<int>(std::min<std::int64_t>((*pre)[1], 1 << 20));
  for (int stage = 0; stage <= kMaxStages; ++stage) {
    const auto shape = LayerShape(generator, fmt::format("ups.{}", stage));
    if (!shape) break;
    if (stage == kMaxStages || (*shape)[2] > 128 || (*shape)[2] % 2 != 0) return refuse("its ups");
    config.upsample_kernel_sizes.push_back(static_cast<int>((*shape)[2]));
    config.upsample_rates.push_back(static_cast<int>((*shape)[2] / 2));
  }
  if (config.upsample_rates.empty()) return refuse("no ups");

  config.resblock = LayerShape(generator, "resblocks.0.convs1.0") ? 1 : 2;
  const char* conv = config.resblock == 1 ? "convs1" : "convs";
  const std::vector<std::vector<int>> type2_dilations = {{1, 2}, {2, 6}, {3, 12}};
  for (int block = 0; block <= kMaxBlocks * kMaxStages; ++block) {
    const auto shape = LayerShape(generator, fmt::format("resblocks.{}.{}.0", block, conv));
    if (!shape) break;
    config.resblock_kernel_sizes.push_back(static_cast<int>((*shape)[2] % 128));
  }
  // The list repeats for every stage.
  const std::size_t stages = config.upsample_rates.size();
  if (config.resblock_kernel_sizes.size() != 3 * stages) return refuse("its residual blocks");
  config.resblock_kernel_sizes.resize(3);
  config.resblock_dilation_sizes =
      config.resblock == 1 ? std::vector<std::vector<int>>(3, {1, 3, 5}) : type2_dilations;

  config.mel.hop = std::accumulate(config.upsample_rates.begin(), config.upsample_rates.end(), 1,
                                   [](int a, int b) { return std::min(a * b, kMaxHop + 1); });
  if (config.mel.hop == 256) {
    config.mel.sample_rate = 22050;
    config.mel.fmax = 8000;
  } else if (config.mel.hop == 200) {
    config.mel.sample_rate = 16000;
    config.mel.fmax = 7600;
  } else {
    return refuse("the hop is neither 256 nor 200");
  }
  config.mel.scale = ScaleOf(config.mel.sample_rate, config.mel.hop);
  if (const auto problem = Inconsistency(config)) return refuse(*problem);
  return config;
}

}  // namespace timbre::models
