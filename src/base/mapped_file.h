// A file mapped read-only into memory for as long as the object lives. Immutable after Open, so
// any number of threads may read bytes(). A file that another program truncates while it is
// mapped ends this program (SIGBUS): weights are not rewritten in place under a running engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/error.h"

namespace timbre {

class MappedFile {
 public:
  // Errors: file_not_found, not_a_file (a folder, a pipe), file_unreadable.
  static Result<MappedFile> Open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace timbre
