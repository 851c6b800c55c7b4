// Reading a dictionary whole, with the errors every dictionary of this folder reports.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace timbre::text::mandarin {

// Errors: kNotFound "dictionary_missing", kTooLarge "dictionary_too_large" (over 64 MiB).
Result<std::string> ReadDictionary(const std::filesystem::path& path);

// The error for a file whose content is not what its name promises: kCorrupt "dictionary_broken".
std::unexpected<Error> BrokenDictionary(const std::filesystem::path& path, std::string_view what);

}  // namespace timbre::text::mandarin
