// 16-bit PCM and WAV out. Samples outside -1..1 saturate, what is no number becomes 0. A sample is
// round(x * 32768), so that decoding 16-bit sound and writing it gives the same bytes.
// Reading is decode.h. Functions may run on any thread; a writer belongs to one.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "audio/waveform.h"
#include "base/error.h"

namespace timbre::audio {

std::int16_t ToPcm16(float sample);
// Appends little-endian 16-bit samples.
void AppendPcm16(std::span<const float> samples, std::vector<std::uint8_t>& bytes);

inline constexpr std::size_t kWavHeaderSize = 44;
// A mono header with true sizes for `samples` samples.
std::array<std::uint8_t, kWavHeaderSize> WavHeader(int sample_rate, std::uint32_t samples);
// A mono header for a stream of unknown length: both size fields are 0xFFFFFFFF.
std::array<std::uint8_t, kWavHeaderSize> StreamedWavHeader(int sample_rate);

// A whole file in memory, or on disk. Errors: audio_too_long (kTooLarge: a WAV ends at 4 GiB),
// file_not_written (kUnavailable; the half-written file is removed).
Result<std::vector<std::uint8_t>> EncodeWav(const Waveform& waveform);
Result<void> WriteWav(const std::filesystem::path& path, const Waveform& waveform);

// A file written while the sound is made; Close puts the true sizes in. Without Close the file is
// removed. "-" writes to standard output with the placeholder sizes of a stream.
class WavWriter {
 public:
  static Result<WavWriter> Open(const std::filesystem::path& path, int sample_rate);
  WavWriter(WavWriter&&) noexcept;
  WavWriter& operator=(WavWriter&&) noexcept;
  ~WavWriter();

  Result<void> Append(std::span<const float> samples);
  Result<void> Close();

 private:
  WavWriter() = default;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace timbre::audio
