#include "synth/model_folder.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include <zlib.h>

#include "models/checkpoint_kind.h"
#include "nn/checkpoint.h"
#include "nn/threads.h"
#include "synth/model_json.h"
#include "synth/sv2tts/load_parts.h"
#include "synth/sv2tts/sv2tts_synthesizer.h"

namespace timbre::synth {
namespace {

namespace fs = std::filesystem;
using models::CheckpointKind;

constexpr std::uintmax_t kMaxModelJsonBytes = 256 * 1024;
constexpr const char* kGe2eInDataFolder = "weights/ge2e/pretrained.pt";
constexpr std::size_t kMaxFilesLookedAt = 64;

Result<std::string> ReadModelJson(const fs::path& path) {
  std::error_code error;
  if (fs::file_size(path, error) > kMaxModelJsonBytes || error) {
    return Fail(ErrorCode::kInvalidArgument, "model_json_invalid", "{} is too large or unreadable",
                path.string());
  }
  std::ifstream in(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool LooksLikeWeights(const fs::path& path) {
  static constexpr std::array kEndings = {".pt", ".pth", ".tar", ".ckpt", ".safetensors", ".bin"};
  const std::string name = path.filename().string();
  // Official HiFi-GAN generators have no ending: g_02500000.
  return name.starts_with("g_") ||
         std::any_of(kEndings.begin(), kEndings.end(),
                     [&](const char* ending) { return name.ends_with(ending); });
}

// Puts `path` in the place its tensors belong to; two files for one place are ambiguous.
Result<void> Place(const fs::path& path, ModelFiles& files) {
  TIMBRE_ASSIGN(const auto checkpoint, nn::Checkpoint::Open(path));
  PartFiles* part = nullptr;
  switch (models::IdentifyCheckpoint(checkpoint)) {
    case CheckpointKind::kGe2eEncoder:
      part = &files.speaker_encoder;
      break;
    case CheckpointKind::kRtvcSynthesizer:
    case CheckpointKind::kMockingBirdSynthesizer:
    case CheckpointKind::kNvidiaTacotron2:
    case CheckpointKind::kNatSynthesizer:
      part = &files.synthesizer;
      break;
    case CheckpointKind::kWaveRnn:
    case CheckpointKind::kHifigan:
      part = &files.vocoder;
      break;
    default:
      return {};
  }
  if (!part->weights.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "model_ambiguous",
                "{} and {} are both candidates; a model.json says which one to use",
                part->weights.string(), path.string());
  }
  part->weights = path;
  return {};
}

// A folder of checkpoints without a model.json.
Result<ModelFiles> FindCheckpoints(const fs::path& folder) {
  std::vector<fs::path> candidates;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(folder, error)) {
    if (item.is_regular_file(error) && LooksLikeWeights(item.path()))
      candidates.push_back(item.path());
  }
  std::sort(candidates.begin(), candidates.end());
  if (candidates.size() > kMaxFilesLookedAt) candidates.resize(kMaxFilesLookedAt);
  ModelFiles files;
  files.name = folder.filename().string();
  for (const auto& path : candidates) TIMBRE_TRY(Place(path, files));
  for (const auto& [part, what] :
       {std::pair{&files.synthesizer, "synthesizer"}, std::pair{&files.vocoder, "vocoder"}}) {
    if (part->weights.empty()) {
      return Fail(ErrorCode::kNotFound, "model_file_missing",
                  "{} has no model.json and no checkpoint of a {}", folder.string(), what);
    }
  }
  return files;
}

// Embeddings of different encoders have different checksums.
Result<std::string> EncoderId(const PartFiles& files) {
  TIMBRE_ASSIGN(const auto checkpoint, nn::Checkpoint::Open(files.weights));
  TIMBRE_ASSIGN(const auto weight, checkpoint.Read("linear.weight"));
  const auto* bytes = reinterpret_cast<const Bytef*>(weight.values.data());
  return fmt::format("ge2e-{:08x}",
                     crc32(0, bytes, static_cast<uInt>(weight.values.size() * sizeof(float))));
}

Result<std::shared_ptr<const Synthesizer>> LoadSv2tts(const ModelFiles& files,
                                                      const LoadOptions& options) {
  ModelInfo info;
  info.name = files.name;
  info.languages = files.languages;
  const std::string& wish = options.precision == "auto" ? files.precision : options.precision;
  TIMBRE_ASSIGN(auto choice, DecidePrecision(wish, files.vocoder));
  info.precision = choice.precision;
  info.precision_reason = std::move(choice.reason);
  Sv2ttsParts parts;
  TIMBRE_ASSIGN(parts.speaker_encoder, LoadSpeakerEncoder(files.speaker_encoder));
  TIMBRE_ASSIGN(info.speaker_encoder_id, EncoderId(files.speaker_encoder));
  // A decoder's steps are bound by reading weights, which bf16 halves on any CPU.
  nn::Precision acoustic = info.precision;
  if (wish == "auto" && acoustic == nn::Precision::kF32) {
    acoustic = nn::Precision::kBf16;
    info.precision_reason += "; the decoder's weights are bf16, which are read faster on any CPU";
  }
  TIMBRE_ASSIGN(parts.acoustic, LoadAcousticModel(files.synthesizer, acoustic));
  TIMBRE_ASSIGN(parts.vocoder, LoadVocoder(files.vocoder, info.precision));
  return MakeSv2ttsSynthesizer(std::move(parts), std::move(info), options.allow_mismatch);
}

}  // namespace

Result<nn::PrecisionChoice> DecidePrecision(const std::string& wish, const PartFiles& vocoder) {
  if (wish == "auto") {
    std::vector<nn::Precision> allowed = {nn::Precision::kF32, nn::Precision::kBf16};
    if (!vocoder.activation_ranges.empty()) allowed.push_back(nn::Precision::kInt8);
    return nn::ChoosePrecision(nn::MeasurePrecisions(), allowed);
  }
  TIMBRE_ASSIGN(const nn::Precision precision, nn::ParsePrecision(wish));
  return nn::PrecisionChoice{precision,
                             nn::HasPrecision(precision)
                                 ? "asked for"
                                 : "asked for; this CPU only imitates it, at f32's speed or less"};
}

Result<ModelFiles> ReadModelFolder(const fs::path& folder, const fs::path& data_folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return Fail(ErrorCode::kNotFound, "model_not_found", "there is no model folder {}",
                folder.string());
  }
  ModelFiles files;
  if (const fs::path path = folder / "model.json"; fs::is_regular_file(path, error)) {
    TIMBRE_ASSIGN(const std::string text, ReadModelJson(path));
    TIMBRE_ASSIGN(files, ParseModelJson(text, folder, data_folder));
  } else {
    TIMBRE_ASSIGN(files, FindCheckpoints(folder));
  }
  if (files.family != "sv2tts") {
    return Fail(ErrorCode::kUnsupported, "model_family_unknown",
                "the model family {} is not known; this version has sv2tts", files.family);
  }
  if (files.speaker_encoder.weights.empty()) {
    files.speaker_encoder.weights = data_folder / kGe2eInDataFolder;
  }
  for (const PartFiles* part : {&files.speaker_encoder, &files.synthesizer, &files.vocoder}) {
    for (const fs::path& path : {part->weights, part->config, part->activation_ranges}) {
      if (!path.empty() && !fs::is_regular_file(path, error)) {
        return Fail(ErrorCode::kNotFound, "model_file_missing", "there is no file {}",
                    path.string());
      }
    }
  }
  return files;
}

Result<std::shared_ptr<const Synthesizer>> LoadModelFolder(const fs::path& folder,
                                                           const LoadOptions& options) {
  TIMBRE_ASSIGN(const ModelFiles files, ReadModelFolder(folder, options.data_folder));
  return LoadSv2tts(files, options);
}

}  // namespace timbre::synth
