#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace timbre {
namespace {

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Result<MappedFile> MappedFile::Open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    const int cause = errno;
    if (cause == ENOENT || cause == ENOTDIR)
      return Fail(ErrorCode::kNotFound, "file_not_found", "{}: no such file", path.string());
    return Fail(ErrorCode::kInvalidArgument, "file_unreadable", "{}: cannot be opened: {}",
                path.string(), std::strerror(cause));
  }
  struct stat status;
  if (fstat(file.get(), &status) != 0)
    return Fail(ErrorCode::kInvalidArgument, "file_unreadable", "{}: cannot be read: {}",
                path.string(), std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return Fail(ErrorCode::kInvalidArgument, "not_a_file", "{}: is not a regular file",
                path.string());
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile(nullptr, 0);  // mmap refuses a length of zero
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED)
    return Fail(ErrorCode::kInvalidArgument, "file_unreadable", "{}: cannot be mapped: {}",
                path.string(), std::strerror(errno));
  return MappedFile(static_cast<const std::uint8_t*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_) munmap(const_cast<std::uint8_t*>(data_), size_);
}

}  // namespace timbre
