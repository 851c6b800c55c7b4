// Writes small weight files byte by byte, honest and hostile ones: pickles, both PyTorch
// containers, zip archives, safetensors.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/stored_tensor.h"

namespace timbre::testing {

// Bytes of a pickle of protocol 2, instruction by instruction.
class PickleWriter {
 public:
  PickleWriter() : bytes_("\x80\x02") {}

  PickleWriter& Raw(std::string_view bytes);
  PickleWriter& Int(std::int64_t value);
  PickleWriter& Float(double value);
  PickleWriter& String(std::string_view text);
  PickleWriter& Global(std::string_view module, std::string_view name);
  PickleWriter& None() { return Raw("N"); }
  PickleWriter& Mark() { return Raw("("); }
  PickleWriter& Tuple() { return Raw("t"); }                        // of what follows the mark
  PickleWriter& Dict() { return Raw("d"); }                         // "
  PickleWriter& List() { return Raw("l"); }                         // "
  PickleWriter& Call() { return Raw("R"); }                         // (function, tuple)
  PickleWriter& StorageId() { return Raw("Q"); }                    // (tuple)
  PickleWriter& Integers(const std::vector<std::int64_t>& values);  // a tuple
  // _rebuild_tensor_v2 of a part of the storage `key`.
  PickleWriter& Tensor(std::string_view storage_type, std::string_view key, std::int64_t elements,
                       std::int64_t offset, const std::vector<std::int64_t>& shape,
                       const std::vector<std::int64_t>& strides);

  std::string Finish() const { return bytes_ + "."; }

 private:
  std::string bytes_;
};

// A pickle that would run `command` in a shell, were it executed: reduce of module.name.
std::string HostilePickle(std::string_view module, std::string_view name, std::string_view command);

struct ZipItem {
  std::string name;
  std::string data;
  bool deflate = false;
};
std::string ZipBytes(const std::vector<ZipItem>& items);

using Storages = std::map<std::string, std::string>;  // key -> bytes
std::string TorchZipBytes(std::string_view pickle, const Storages& storages, bool deflate = false);
// `element_bytes` of all storages.
std::string TorchLegacyBytes(std::string_view pickle, const Storages& storages,
                             std::size_t element_bytes);
std::string SafetensorsBytes(std::string_view header, std::string_view data);

// A state dictionary {name: tensor} in safetensors, values stored as `type` (f32, f16 or bf16).
struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};
std::string StateDictBytes(const std::vector<NamedTensor>& tensors, nn::DType type);

// The values as stored numbers of that type; f16 and bf16 are rounded to nearest, ties to even.
std::string PackedValues(const std::vector<float>& values, nn::DType type);

std::vector<std::uint8_t> ToBytes(std::string_view text);

}  // namespace timbre::testing
