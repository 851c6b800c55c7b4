// Reads little-endian numbers and runs of bytes from untrusted memory: every read checks its
// range first, and a read beyond the end moves nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace timbre {

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::uint8_t> bytes, std::size_t position = 0)
      : bytes_(bytes), position_(position <= bytes.size() ? position : bytes.size()) {}

  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }

  // The next `count` bytes, or nothing when fewer are left.
  std::optional<std::span<const std::uint8_t>> Take(std::uint64_t count) {
    if (count > left()) return std::nullopt;
    auto taken = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return taken;
  }

  // The next number as it lies in memory; all machines that we build for are little-endian.
  template <typename T>
  std::optional<T> Number() {
    auto taken = Take(sizeof(T));
    if (!taken) return std::nullopt;
    T value;
    std::memcpy(&value, taken->data(), sizeof(T));
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t position_;
};

}  // namespace timbre
