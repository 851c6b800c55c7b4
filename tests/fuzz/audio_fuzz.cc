// DecodeBytes with the limits of a reference, and all that is done with a recording afterwards.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "audio/decode.h"
#include "audio/reference_check.h"
#include "audio/speaker_preprocess.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace timbre::audio;
  auto decoded = DecodeBytes({data, size}, {.max_seconds = 5.0, .max_decode_seconds = 10.0});
  if (!decoded) return 0;
  const auto reference = CheckReference(*std::move(decoded));
  if (reference) (void)PreprocessSpeaker(reference->waveform);
  return 0;
}
