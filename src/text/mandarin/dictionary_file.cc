#include "text/mandarin/dictionary_file.h"

#include <fstream>
#include <system_error>

namespace timbre::text::mandarin {
namespace {

constexpr std::uintmax_t kLargest = 64u << 20;

}  // namespace

Result<std::string> ReadDictionary(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return Fail(ErrorCode::kNotFound, "dictionary_missing", "The dictionary {} cannot be opened.",
                path.filename().string());
  }
  if (size > kLargest) {
    return Fail(ErrorCode::kTooLarge, "dictionary_too_large", "The dictionary {} is over 64 MiB.",
                path.filename().string());
  }
  std::string content(static_cast<std::size_t>(size), '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file) return BrokenDictionary(path, "ends too early");
  return content;
}

std::unexpected<Error> BrokenDictionary(const std::filesystem::path& path, std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "dictionary_broken", "The dictionary {} {}.",
              path.filename().string(), what);
}

}  // namespace timbre::text::mandarin
