// ZipReader, also with GPT-SoVITS's replaced first bytes.
#include <cstddef>
#include <cstdint>

#include "base/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool replaced : {false, true}) {
    timbre::ZipLimits limits;
    limits.max_entry_bytes = 1 << 22;
    limits.first_magic_replaced = replaced;
    const auto zip = timbre::ZipReader::Open({data, size}, limits);
    if (!zip) continue;
    for (const timbre::ZipEntry& entry : zip->entries()) (void)zip->Read(entry);
  }
  return 0;
}
