#include "audio/decode.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "audio/ffmpeg_reader.h"

namespace timbre::audio {
namespace {

// Beyond this a float sample is an accident, not loudness.
constexpr float kLargestSample = 1e5f;

// More than one decoded frame of the usual formats, in samples.
constexpr std::size_t kFrameRoom = 1 << 16;

std::string Span(const DecodeLimits& limits) {
  if (limits.min_seconds <= 0.0) return fmt::format("at most {:.4g} s", limits.max_seconds);
  return fmt::format("{:.4g} to {:.4g} s", limits.min_seconds, limits.max_seconds);
}

std::unexpected<Error> Empty() {
  return Fail(ErrorCode::kInvalidArgument, "audio_empty", "The recording is empty.");
}

// Tags before an MP3 may hold megabytes of pictures, more than FFmpeg's format probe looks at.
std::span<const std::uint8_t> SkipId3Tag(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kHeader = 10;
  if (bytes.size() < kHeader || bytes[0] != 'I' || bytes[1] != 'D' || bytes[2] != '3') return bytes;
  std::size_t size = 0;
  for (std::size_t i = 6; i < kHeader; ++i) size = size << 7 | (bytes[i] & 0x7F);
  const std::size_t footer = (bytes[5] & 0x10) != 0 ? kHeader : 0;
  return bytes.subspan(std::min(bytes.size(), kHeader + size + footer));
}

std::uint32_t LittleEndian32(const std::uint8_t* bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

// FFmpeg goes by the bytes that are there; what a cut WAV should hold only its data chunk says.
// Nothing where that size is a placeholder or fits.
std::optional<std::uint32_t> PromisedWavBytes(std::span<const std::uint8_t> bytes) {
  constexpr std::uint32_t kPlaceholders = 0x7FF00000;  // and above
  if (bytes.size() < 12 || std::memcmp(bytes.data(), "RIFF", 4) != 0) return std::nullopt;
  std::size_t at = 12;
  while (at + 8 <= bytes.size()) {
    const std::uint32_t size = LittleEndian32(&bytes[at + 4]);
    if (std::memcmp(&bytes[at], "data", 4) == 0) {
      if (size >= kPlaceholders || size <= bytes.size() - at - 8) return std::nullopt;
      return size;
    }
    at += 8 + static_cast<std::size_t>(size) + size % 2;
  }
  return std::nullopt;
}

void RemoveNonsense(DecodedAudio& audio) {
  std::size_t removed = 0;
  for (float& sample : audio.waveform.samples) {
    if (std::abs(sample) <= kLargestSample) continue;  // false for NaN too
    sample = 0.0f;
    ++removed;
  }
  if (removed == 0) return;
  audio.warnings.push_back(
      {"audio_not_finite",
       fmt::format("{} samples are no usable numbers and were set to zero.", removed)});
}

void WarnOfLoss(const FfmpegReader& reader, std::span<const std::uint8_t> bytes,
                DecodedAudio& audio) {
  const double seconds = audio.waveform.seconds();
  std::optional<double> promised = reader.declared_seconds;
  if (const auto wav_bytes = PromisedWavBytes(bytes); wav_bytes && reader.bytes_per_second > 0) {
    promised = *wav_bytes / reader.bytes_per_second;
  }
  if (reader.ended_by_format_change) {
    audio.warnings.push_back(
        {"audio_format_changes",
         fmt::format("The sample rate changes after {:.2f} s; what follows was left out.",
                     seconds)});
  } else if (promised && seconds < *promised - 0.1 && seconds < *promised * 0.98) {
    audio.warnings.push_back(
        {"audio_truncated",
         fmt::format("The file ends early: {:.2f} s of {:.2f} s are there.", seconds, *promised)});
  } else if (reader.damaged_packets > 0) {
    audio.warnings.push_back(
        {"audio_partly_damaged",
         fmt::format("Damaged places were left out; {:.2f} s could be read.", seconds)});
  }
}

struct FileClose {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

const char* AcceptedFormats() {
  return "WAV, AIFF, AU, CAF, FLAC, MP3, AAC, M4A/MP4, Ogg (Opus, Vorbis), WebM, AMR";
}

Result<DecodedAudio> DecodeBytes(std::span<const std::uint8_t> bytes, const DecodeLimits& limits) {
  if (bytes.empty()) return Empty();
  if (static_cast<std::int64_t>(bytes.size()) > limits.max_bytes) {
    return Fail(ErrorCode::kTooLarge, "audio_file_too_large",
                "The file has {} bytes; at most {} are read.", bytes.size(), limits.max_bytes);
  }
  TIMBRE_ASSIGN(const std::unique_ptr<FfmpegReader> reader,
                FfmpegReader::Open(SkipId3Tag(bytes), limits.max_decode_seconds));

  DecodedAudio audio;
  std::vector<float>& samples = audio.waveform.samples;
  for (;;) {
    TIMBRE_ASSIGN(const bool more, reader->Read(samples));
    if (!more) break;
    if (samples.capacity() < kFrameRoom) {
      // Once and bounded by the limit, so that growing never holds two copies of a long sound.
      const double seconds = std::clamp(reader->declared_seconds.value_or(limits.max_seconds), 0.0,
                                        limits.max_seconds);
      samples.reserve(kFrameRoom + static_cast<std::size_t>(seconds * reader->sample_rate));
    }
    if (static_cast<double>(samples.size()) > limits.max_seconds * reader->sample_rate) {
      const double declared = reader->declared_seconds.value_or(0.0);
      if (declared > limits.max_seconds) {
        return Fail(ErrorCode::kTooLarge, "audio_too_long",
                    "The recording is {:.2f} s long; {} are accepted.", declared, Span(limits));
      }
      return Fail(ErrorCode::kTooLarge, "audio_too_long",
                  "The recording is longer than {:.2f} s; {} are accepted.", limits.max_seconds,
                  Span(limits));
    }
  }
  if (samples.empty()) {
    if (reader->damaged_packets == 0) return Empty();
    return Fail(ErrorCode::kCorrupt, "audio_damaged",
                "The recording is damaged: nothing in it could be read.");
  }
  audio.waveform.sample_rate = reader->sample_rate;
  audio.channels = reader->channels;
  audio.container = reader->container;
  audio.codec = reader->codec;
  if (audio.waveform.seconds() < limits.min_seconds) {
    return Fail(ErrorCode::kInvalidArgument, "audio_too_short",
                "The recording is {:.2f} s long; {} are accepted.", audio.waveform.seconds(),
                Span(limits));
  }
  RemoveNonsense(audio);
  WarnOfLoss(*reader, bytes, audio);
  return audio;
}

Result<DecodedAudio> DecodeFile(const std::filesystem::path& path, const DecodeLimits& limits) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return Fail(ErrorCode::kNotFound, "audio_not_found", "There is no file {}.", path.string());
  }
  const std::unique_ptr<std::FILE, FileClose> file(
      std::filesystem::is_regular_file(status) ? std::fopen(path.c_str(), "rb") : nullptr);
  if (file == nullptr) {
    return Fail(ErrorCode::kNotFound, "audio_not_found", "{} is not a file that can be read.",
                path.string());
  }
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  if (error || size > limits.max_bytes) {
    return Fail(ErrorCode::kTooLarge, "audio_file_too_large",
                "The file has {} bytes; at most {} are read.", size, limits.max_bytes);
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  return DecodeBytes(bytes, limits);
}

}  // namespace timbre::audio
