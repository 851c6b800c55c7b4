#include "synth/warnings_json.h"

#include <nlohmann/json.hpp>

namespace timbre::synth {

using nlohmann::json;

json WarningsJson(const std::vector<audio::Warning>& warnings) {
  json list = json::array();
  for (const auto& warning : warnings) {
    list.push_back({{"reason", warning.reason}, {"message", warning.message}});
  }
  return list;
}

std::vector<audio::Warning> ParseWarnings(const json& list) {
  std::vector<audio::Warning> warnings;
  if (!list.is_array()) return warnings;
  for (const auto& item : list) {
    if (!item.is_object()) continue;
    const auto reason = item.find("reason");
    const auto message = item.find("message");
    if (reason == item.end() || message == item.end()) continue;
    if (!reason->is_string() || !message->is_string()) continue;
    warnings.push_back({reason->get<std::string>(), message->get<std::string>()});
  }
  return warnings;
}

}  // namespace timbre::synth
