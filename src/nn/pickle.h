// A restricted reader of Python pickles: builds plain values and never runs anything. A pickle is
// a program for a small stack machine; its dangerous instructions call a function named by the
// file. Here such names must be in a fixed list (nn/pickle_globals.cc), and the "call" is our own
// code that builds a value: a tensor's description, an ordered dictionary, a number. Any other
// name is refused the moment the file mentions it. Source: CPython's pickletools (protocols 0-5),
// PyTorch's serialization.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "nn/pickle_value.h"

namespace timbre::nn {

struct PickleLimits {
  std::size_t max_values = 2'000'000;        // values built, and pointers copied by "calls"
  std::size_t max_string_bytes = 64u << 20;  // one string
  std::size_t max_memo = 2'000'000;
};

struct PickleRead {
  const PickleValue* value = nullptr;
  std::size_t end = 0;  // position behind the pickle
};

// Reads one pickle that starts at `position`; the values go into `tree`.
// Errors: pickle_forbidden_global (the message names it), pickle_unsupported, pickle_truncated,
// pickle_corrupt, pickle_too_large.
Result<PickleRead> ReadPickle(std::span<const std::uint8_t> bytes, std::size_t position,
                              const PickleLimits& limits, PickleTree& tree);

}  // namespace timbre::nn
