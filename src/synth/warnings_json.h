// Warnings of a recording as JSON, the same in voice files, the program's output and the server.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "audio/warning.h"

namespace timbre::synth {

// [{"reason": …, "message": …}, …]
nlohmann::json WarningsJson(const std::vector<audio::Warning>& warnings);
// What is not of that shape is left out.
std::vector<audio::Warning> ParseWarnings(const nlohmann::json& list);

}  // namespace timbre::synth
