#include "synth/model_json.h"

#include <nlohmann/json.hpp>

namespace timbre::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::unexpected<Error> Invalid(std::string_view what) {
  return Fail(ErrorCode::kInvalidArgument, "model_json_invalid", "model.json: {}", what);
}

Result<std::string> Text(const json& object, const char* key, std::string fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if (!found->is_string()) return Invalid(fmt::format("\"{}\" must be a text", key));
  return found->get<std::string>();
}

Result<int> Integer(const json& object, const char* key, int low, int high, int fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if (!found->is_number_integer() || *found < low || *found > high) {
    return Invalid(fmt::format("\"{}\" must be a whole number, {} to {}", key, low, high));
  }
  return found->get<int>();
}

// "data:weights/x" lies in the data folder, everything else in the model's. UTF-8 either way.
fs::path Resolve(const std::string& name, const fs::path& folder, const fs::path& data_folder) {
  constexpr std::string_view kData = "data:";
  const bool in_data = name.starts_with(kData);
  const std::string relative = in_data ? name.substr(kData.size()) : name;
  const fs::path path(std::u8string(relative.begin(), relative.end()));
  return ((in_data ? data_folder : folder) / path).lexically_normal();
}

Result<PartFiles> Part(const json& model, const char* key, bool required, const fs::path& folder,
                       const fs::path& data_folder) {
  PartFiles files;
  const auto part = model.find(key);
  if (part == model.end()) {
    if (!required) return files;
    return Invalid(fmt::format("\"{}\" is missing", key));
  }
  if (!part->is_object()) return Invalid(fmt::format("\"{}\" must be an object", key));
  TIMBRE_ASSIGN(const std::string weights, Text(*part, "weights", ""));
  TIMBRE_ASSIGN(const std::string config, Text(*part, "config", ""));
  TIMBRE_ASSIGN(const std::string ranges, Text(*part, "activation_ranges", ""));
  if (weights.empty()) return Invalid(fmt::format("\"{}\" names no \"weights\"", key));
  files.weights = Resolve(weights, folder, data_folder);
  if (!config.empty()) files.config = Resolve(config, folder, data_folder);
  if (!ranges.empty()) files.activation_ranges = Resolve(ranges, folder, data_folder);
  TIMBRE_ASSIGN(files.stream_ahead, Integer(*part, "stream_ahead", 0, 2000, 0));
  TIMBRE_ASSIGN(files.style, Integer(*part, "style", -1, 1000, -1));
  return files;
}

}  // namespace

Result<ModelFiles> ParseModelJson(std::string_view text, const fs::path& folder,
                                  const fs::path& data_folder) {
  const json model = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!model.is_object()) return Invalid("not a JSON object");
  ModelFiles files;
  TIMBRE_ASSIGN(files.name, Text(model, "name", folder.filename().string()));
  TIMBRE_ASSIGN(files.family, Text(model, "family", "sv2tts"));
  TIMBRE_ASSIGN(files.precision, Text(model, "precision", "auto"));
  TIMBRE_ASSIGN(files.speaker_encoder, Part(model, "speaker_encoder", false, folder, data_folder));
  TIMBRE_ASSIGN(files.synthesizer, Part(model, "synthesizer", true, folder, data_folder));
  TIMBRE_ASSIGN(files.vocoder, Part(model, "vocoder", true, folder, data_folder));
  const auto languages = model.find("languages");
  if (languages == model.end()) return files;
  if (!languages->is_array()) return Invalid("\"languages\" must be a list");
  for (const auto& language : *languages) {
    if (!language.is_string()) return Invalid("\"languages\" must be a list of texts");
    files.languages.push_back(language.get<std::string>());
  }
  return files;
}

}  // namespace timbre::synth
