#include "synth/sv2tts/load_parts.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "models/activation_ranges.h"
#include "models/checkpoint_kind.h"
#include "models/hifigan/hifigan_config.h"
#include "models/sv2tts/nat_config.h"
#include "nn/checkpoint.h"
#include "synth/sv2tts/acoustic_models.h"

namespace timbre::synth {
namespace {

namespace fs = std::filesystem;
using models::CheckpointKind;

struct OpenPart {
  nn::Checkpoint checkpoint;
  CheckpointKind kind;
};

Result<OpenPart> Open(const PartFiles& files) {
  TIMBRE_ASSIGN(auto checkpoint, nn::Checkpoint::Open(files.weights));
  const CheckpointKind kind = models::IdentifyCheckpoint(checkpoint);
  return OpenPart{std::move(checkpoint), kind};
}

std::unexpected<Error> WrongPart(const PartFiles& files, const char* wanted, CheckpointKind found) {
  return Fail(ErrorCode::kInvalidArgument, "model_part_wrong", "{} should be a {} but is a {}",
              files.weights.string(), wanted, models::CheckpointKindText(found));
}

// The config a part names, or the one that lies beside its weights under the usual name.
fs::path ConfigBeside(const PartFiles& files, const fs::path& usual) {
  if (!files.config.empty()) return files.config;
  std::error_code error;
  const fs::path beside = files.weights.parent_path() / usual;
  return fs::is_regular_file(beside, error) ? beside : fs::path();
}

// "hop_size" of a MockingBird hparams file, which overrides the usual one.
Result<int> ReadHop(const fs::path& path, int usual) {
  if (path.empty()) return usual;
  std::ifstream in(path);
  const auto hparams = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!hparams.is_object()) {
    return Fail(ErrorCode::kCorrupt, "model_config_invalid", "{} is not a JSON object",
                path.string());
  }
  const auto hop = hparams.find("hop_size");
  if (hop == hparams.end()) return usual;
  if (!hop->is_number_integer() || *hop < 16 || *hop > 4096) {
    return Fail(ErrorCode::kCorrupt, "model_config_invalid", "{}: \"hop_size\" is out of range",
                path.string());
  }
  return hop->get<int>();
}

}  // namespace

Result<std::shared_ptr<const models::SpeakerEncoder>> LoadSpeakerEncoder(const PartFiles& files) {
  TIMBRE_ASSIGN(const auto part, Open(files));
  if (part.kind != CheckpointKind::kGe2eEncoder) {
    return WrongPart(files, "GE2E speaker encoder", part.kind);
  }
  return models::SpeakerEncoder::Load(nn::WeightReader(part.checkpoint));
}

Result<std::unique_ptr<const AcousticModel>> LoadAcousticModel(const PartFiles& files,
                                                               nn::Precision precision) {
  TIMBRE_ASSIGN(const auto part, Open(files));
  switch (part.kind) {
    case CheckpointKind::kNatSynthesizer: {
      fs::path config_path = ConfigBeside(files, "nat.json");
      if (config_path.empty()) config_path = files.weights.parent_path() / "nat.json";
      TIMBRE_ASSIGN(const auto config, models::ReadNatConfig(config_path));
      TIMBRE_ASSIGN(auto model, models::NatSynthesizer::Load(nn::WeightReader(part.checkpoint),
                                                             config, precision));
      return MakeAcousticModel(std::move(model));
    }
    case CheckpointKind::kNvidiaTacotron2: {
      TIMBRE_ASSIGN(auto model,
                    models::NvidiaTacotron2::Load(nn::WeightReader(part.checkpoint), precision));
      return MakeAcousticModel(std::move(model));
    }
    case CheckpointKind::kRtvcSynthesizer:
    case CheckpointKind::kMockingBirdSynthesizer: {
      TIMBRE_ASSIGN(auto model,
                    models::RtvcSynthesizer::Load(nn::WeightReader(part.checkpoint), precision));
      RtvcSettings settings{.stream_ahead = files.stream_ahead, .style = files.style};
      const fs::path hparams = files.weights.stem().string() + ".json";
      TIMBRE_ASSIGN(settings.hop, ReadHop(ConfigBeside(files, hparams), settings.hop));
      return MakeAcousticModel(std::move(model), settings);
    }
    default:
      return WrongPart(files, "synthesizer", part.kind);
  }
}

Result<std::unique_ptr<const Vocoder>> LoadVocoder(const PartFiles& files,
                                                   nn::Precision precision) {
  TIMBRE_ASSIGN(const auto part, Open(files));
  const nn::WeightReader reader(part.checkpoint);
  switch (part.kind) {
    case CheckpointKind::kHifigan: {
      const fs::path path = ConfigBeside(files, "config.json");
      TIMBRE_ASSIGN(const auto config, path.empty() ? models::InferHifiGanConfig(reader)
                                                    : models::ReadHifiGanConfig(path));
      nn::ActivationRanges ranges;
      if (!files.activation_ranges.empty()) {
        TIMBRE_ASSIGN(ranges, models::ReadActivationRanges(files.activation_ranges));
      }
      TIMBRE_ASSIGN(auto model, models::HifiGan::Load(reader, config, precision, ranges));
      return MakeVocoder(std::move(model));
    }
    case CheckpointKind::kWaveRnn: {
      TIMBRE_ASSIGN(auto model, models::WaveRnn::Load(reader, precision));
      return MakeVocoder(std::move(model));
    }
    default:
      return WrongPart(files, "vocoder", part.kind);
  }
}

}  // namespace timbre::synth
