// The one place that calls FFmpeg: opens encoded audio in memory and hands out decoded mono frames.
// For decode.cc, which adds limits and policy. An object belongs to one thread at a time; different
// objects may work on different threads.
//
// What keeps hostile files harmless: bytes come from memory and every attempt of a demuxer to open
// something else is refused; only the containers and decoders listed here are used; stream counts,
// frame sizes, rates and the wall clock are bounded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace timbre::audio {

class FfmpegReader {
 public:
  // `bytes` must outlive the reader. Errors: audio_unsupported, audio_damaged, audio_decode_slow.
  static Result<std::unique_ptr<FfmpegReader>> Open(std::span<const std::uint8_t> bytes,
                                                    double max_decode_seconds);
  virtual ~FfmpegReader() = default;

  // Appends the next decoded frame, the mean of its channels. False at the end. Damaged packets
  // are skipped and counted. Error: audio_decode_slow.
  virtual Result<bool> Read(std::vector<float>& mono) = 0;

  int sample_rate = 0;  // Hz, of the first frame on
  int channels = 0;
  std::string container;
  std::string codec;
  // What the header promises; nothing where it says nothing or holds a placeholder.
  std::optional<double> declared_seconds;
  double bytes_per_second = 0.0;  // of the encoded sound, 0 where unknown
  std::int64_t damaged_packets = 0;
  bool ended_by_format_change = false;
};

}  // namespace timbre::audio
