// The safetensors container: a length, a JSON header and the tensors' bytes. Source: the format
// description at github.com/huggingface/safetensors.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/error.h"
#include "nn/stored_tensor.h"

namespace timbre::nn {

struct Safetensors {
  std::map<std::string, StoredTensor, std::less<>> tensors;
  std::map<std::string, std::string> metadata;
};

// Whether the bytes begin as such a file does; says nothing about the rest.
bool LooksLikeSafetensors(std::span<const std::uint8_t> bytes);

// `bytes` must outlive the result. Errors: safetensors_corrupt, safetensors_truncated,
// safetensors_unsupported_type, tensor_….
Result<Safetensors> ReadSafetensors(std::span<const std::uint8_t> bytes,
                                    std::size_t max_header_bytes, std::int64_t max_elements);

}  // namespace timbre::nn
