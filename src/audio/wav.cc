#include "audio/wav.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace timbre::audio {
namespace {

constexpr std::uint32_t kPlaceholder = 0xFFFFFFFF;
// RIFF counts everything after its first eight bytes in 32 bits.
constexpr std::uint64_t kMaxSamples = (0xFFFFFFFEu - kWavHeaderSize) / 2;

std::array<std::uint8_t, kWavHeaderSize> Header(int sample_rate, std::uint32_t riff_size,
                                                std::uint32_t data_size) {
  std::array<std::uint8_t, kWavHeaderSize> header{};
  std::size_t at = 0;
  const auto tag = [&](const char* name) {
    std::memcpy(&header[at], name, 4);
    at += 4;
  };
  const auto number = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) header[at++] = static_cast<std::uint8_t>(value >> (8 * i));
  };
  tag("RIFF");
  number(riff_size, 4);
  tag("WAVE");
  tag("fmt ");
  number(16, 4);
  number(1, 2);  // PCM
  number(1, 2);  // mono
  number(static_cast<std::uint32_t>(sample_rate), 4);
  number(static_cast<std::uint32_t>(sample_rate) * 2, 4);  // bytes per second
  number(2, 2);                                            // bytes per sample
  number(16, 2);                                           // bits per sample
  tag("data");
  number(data_size, 4);
  return header;
}

std::unexpected<Error> NotWritten(const std::filesystem::path& path, int error) {
  return Fail(ErrorCode::kUnavailable, "file_not_written", "{} cannot be written: {}.",
              path.string(), std::generic_category().message(error));
}

std::unexpected<Error> TooLong() {
  return Fail(ErrorCode::kTooLarge, "audio_too_long",
              "The sound is too long for a WAV file, which ends at 4 GiB.");
}

}  // namespace

std::int16_t ToPcm16(float sample) {
  if (std::isnan(sample)) return 0;
  const float scaled = std::nearbyint(sample * 32768.0f);
  if (scaled >= 32767.0f) return 32767;
  if (scaled <= -32768.0f) return -32768;
  return static_cast<std::int16_t>(scaled);
}

void AppendPcm16(std::span<const float> samples, std::vector<std::uint8_t>& bytes) {
  bytes.reserve(bytes.size() + 2 * samples.size());
  for (const float sample : samples) {
    const auto value = static_cast<std::uint16_t>(ToPcm16(sample));
    bytes.push_back(static_cast<std::uint8_t>(value & 0xFF));
    bytes.push_back(static_cast<std::uint8_t>(value >> 8));
  }
}

std::array<std::uint8_t, kWavHeaderSize> WavHeader(int sample_rate, std::uint32_t samples) {
  return Header(sample_rate, 36 + 2 * samples, 2 * samples);
}

std::array<std::uint8_t, kWavHeaderSize> StreamedWavHeader(int sample_rate) {
  return Header(sample_rate, kPlaceholder, kPlaceholder);
}

Result<std::vector<std::uint8_t>> EncodeWav(const Waveform& waveform) {
  if (waveform.samples.size() > kMaxSamples) return TooLong();
  const auto header =
      WavHeader(waveform.sample_rate, static_cast<std::uint32_t>(waveform.samples.size()));
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  AppendPcm16(waveform.samples, bytes);
  return bytes;
}

Result<void> WriteWav(const std::filesystem::path& path, const Waveform& waveform) {
  TIMBRE_ASSIGN(WavWriter writer, WavWriter::Open(path, waveform.sample_rate));
  TIMBRE_TRY(writer.Append(waveform.samples));
  return writer.Close();
}

struct WavWriter::State {
  ~State() {
    if (file == nullptr || to_stdout) return;
    std::fclose(file);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }

  bool Write(const void* data, std::size_t size) {
    return std::fwrite(data, 1, size, file) == size;
  }

  std::filesystem::path path;
  int sample_rate = 0;
  bool to_stdout = false;
  std::FILE* file = nullptr;
  std::uint64_t samples = 0;
  std::vector<std::uint8_t> buffer;
};

WavWriter::WavWriter(WavWriter&&) noexcept = default;
WavWriter& WavWriter::operator=(WavWriter&&) noexcept = default;
WavWriter::~WavWriter() = default;

Result<WavWriter> WavWriter::Open(const std::filesystem::path& path, int sample_rate) {
  WavWriter writer;
  writer.state_ = std::make_unique<State>();
  State& state = *writer.state_;
  state.path = path;
  state.sample_rate = sample_rate;
  state.to_stdout = path == "-";
  state.file = state.to_stdout ? stdout : std::fopen(path.c_str(), "wb");
  if (state.file == nullptr) return NotWritten(path, errno);
  // Until Close a reader sees a stream whose length is not known yet.
  const auto header = StreamedWavHeader(sample_rate);
  if (!state.Write(header.data(), header.size())) return NotWritten(path, errno);
  return writer;
}

Result<void> WavWriter::Append(std::span<const float> samples) {
  State& state = *state_;
  if (!state.to_stdout && state.samples + samples.size() > kMaxSamples) return TooLong();
  state.buffer.clear();
  AppendPcm16(samples, state.buffer);
  if (!state.Write(state.buffer.data(), state.buffer.size())) return NotWritten(state.path, errno);
  // Whoever reads a pipe hears every piece at once.
  if (state.to_stdout && std::fflush(state.file) != 0) return NotWritten(state.path, errno);
  state.samples += samples.size();
  return {};
}

Result<void> WavWriter::Close() {
  State& state = *state_;
  if (state.to_stdout) {
    state.file = nullptr;
    return {};
  }
  const auto header = WavHeader(state.sample_rate, static_cast<std::uint32_t>(state.samples));
  if (std::fseek(state.file, 0, SEEK_SET) != 0 || !state.Write(header.data(), header.size()) ||
      std::fflush(state.file) != 0) {
    return NotWritten(state.path, errno);
  }
  const int closed = std::fclose(std::exchange(state.file, nullptr));
  if (closed != 0) return NotWritten(state.path, errno);
  return {};
}

}  // namespace timbre::audio
