// A new empty folder that vanishes with the object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace timbre::testing {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file below the folder, making folders on the way; returns its path.
  std::filesystem::path Write(const std::filesystem::path& name,
                              std::span<const std::uint8_t> bytes) const;
  std::filesystem::path Write(const std::filesystem::path& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace timbre::testing
