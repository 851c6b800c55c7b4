// model.json -> ModelFiles (the format is in synth/model_folder.h). The file may come from outside:
// sizes and types are checked. Pure; any thread.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "synth/model_folder.h"

namespace timbre::synth {

// Error: model_json_invalid, naming the key.
Result<ModelFiles> ParseModelJson(std::string_view text, const std::filesystem::path& folder,
                                  const std::filesystem::path& data_folder);

}  // namespace timbre::synth
