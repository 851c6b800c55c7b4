// Any usual recording (WAV, AIFF, FLAC, MP3, AAC, M4A/MP4, Ogg, Opus, WebM, AMR) as mono f32 at its
// own sample rate, by the FFmpeg libraries. Bytes come from memory only: no other file, playlist
// or network address that a hostile file might name is ever opened. Lengths are measured while
// decoding, so a small file that unpacks to hours costs no more than the limit. Channels are
// averaged. Samples that are no number, or absurd, become 0 with a warning.
//
// Thread contract: all functions may run on any number of threads at once.
//
// Errors (reason: code): audio_not_found: kNotFound; audio_empty: kInvalidArgument (no bytes or no
// sample); audio_unsupported: kUnsupported (not a known audio format; the message lists them);
// audio_damaged: kCorrupt; audio_too_short: kInvalidArgument and audio_too_long: kTooLarge (with
// the measured length and the allowed span); audio_file_too_large: kTooLarge; audio_decode_slow:
// kDeadlineExceeded (a file made to waste time).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "audio/warning.h"
#include "audio/waveform.h"
#include "base/error.h"

namespace timbre::audio {

struct DecodeLimits {
  double min_seconds = 0.0;
  double max_seconds = 120.0;
  std::int64_t max_bytes = 64 << 20;  // of the encoded file
  double max_decode_seconds = 20.0;   // wall clock
};

struct DecodedAudio {
  Waveform waveform;      // at the source's sample rate
  int channels = 0;       // of the source
  std::string container;  // FFmpeg's short name: "wav", "mp3", "mov,mp4,m4a,3gp,3g2,mj2"
  std::string codec;      // "pcm_s24le", "aac"
  std::vector<Warning> warnings;
};

Result<DecodedAudio> DecodeBytes(std::span<const std::uint8_t> bytes,
                                 const DecodeLimits& limits = {});
Result<DecodedAudio> DecodeFile(const std::filesystem::path& path, const DecodeLimits& limits = {});

// "WAV, AIFF, FLAC, ...": for messages and help texts.
const char* AcceptedFormats();

}  // namespace timbre::audio
