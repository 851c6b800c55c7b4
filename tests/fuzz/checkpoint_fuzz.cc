// nn::Checkpoint: every container, chosen by the input's own first bytes.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nn/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  timbre::nn::CheckpointLimits limits;
  // Small enough to stay quick; what lies beyond is refused by the same code.
  limits.pickle.max_values = 100'000;
  limits.pickle.max_string_bytes = 1 << 20;
  limits.max_pickle_bytes = 1 << 20;
  limits.max_elements = 1 << 20;
  const auto file = timbre::nn::Checkpoint::Parse({data, data + size}, limits);
  if (!file) return 0;
  for (const std::string& name : file->Names()) (void)file->Read(name);
  (void)file->Integer("step");
  return 0;
}
