#include "models/activation_ranges.h"

#include <fstream>

#include "models/json_fields.h"

namespace timbre::models {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr double kMaxRange = 1e6;

}  // namespace

Result<nn::ActivationRanges> ReadActivationRanges(const std::filesystem::path& path) {
  TIMBRE_ASSIGN(const std::string text, ReadSmallFile(path, kMaxBytes));
  const json object = ParseJsonObject(text, kMaxBytes);
  const auto invalid = [&] {
    return Fail(ErrorCode::kCorrupt, "calibration_invalid",
                "{} is no calibration of an int8 model; make it again", path.string());
  };
  if (object.is_discarded() || object.value("format", json()) != 1) return invalid();
  const json layers = object.value("layers", json());
  if (!layers.is_object()) return invalid();
  nn::ActivationRanges ranges;
  for (const auto& [layer, range] : layers.items()) {
    if (!range.is_number()) return invalid();
    const double value = range.get<double>();
    if (!(value > 0 && value < kMaxRange)) return invalid();
    ranges.Raise(layer, static_cast<float>(value));
  }
  return ranges;
}

Result<void> WriteActivationRanges(const std::filesystem::path& path,
                                   const nn::ActivationRanges& ranges) {
  json layers = json::object();
  for (const auto& [layer, range] : ranges.all()) {
    if (range > 0) layers[layer] = range;
  }
  std::ofstream file(path, std::ios::binary);
  file << json{{"format", 1}, {"layers", layers}}.dump(1) << '\n';
  file.close();
  if (!file) {
    return Fail(ErrorCode::kUnavailable, "file_not_written", "{} could not be written",
                path.string());
  }
  return {};
}

}  // namespace timbre::models
