// ParseNpy.
#include <cstddef>
#include <cstdint>

#include "base/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = timbre::ParseNpy({data, size});
  if (!array) return 0;
  (void)array->ToFloat();
  (void)array->ToInt64();
  return 0;
}
