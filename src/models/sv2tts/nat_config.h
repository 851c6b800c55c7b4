// nat.json: the sizes of our own synthesizer and how phones are spelled in its symbols (written by
// training/ beside nat.safetensors). The file may come from outside: everything is bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "models/mel_format.h"

namespace timbre::models {

// A word as the front end reads it, or one punctuation mark.
struct NatWord {
  std::vector<std::string> phones;
  bool punctuation = false;
};

// The symbols of an utterance.
struct NatSymbols {
  std::vector<std::int32_t> ids;
  // Per symbol: it begins a phone that must be heard, so it lasts one frame at least.
  std::vector<std::uint8_t> audible;
  std::vector<std::string> unknown;  // phones that the model has no symbol for; left out
};

struct NatConfig {
  int symbols = 0;              // rows of the embedding table
  int embedding = 256;          // also the channels of the encoder's convolutions
  int encoder_lstm = 128;       // per direction
  int speaker_embedding = 256;  // what the speaker encoder yields
  int speaker = 128;            // what the synthesizer makes of it
  int duration_lstm = 128;      // per direction
  int prenet = 256;
  int decoder_lstm = 512;
  int postnet = 256;            // channels
  double position_scale = 8;    // frames per unit of the position inputs
  double prenet_dropout = 0.5;  // stays on while speaking
  MelFormat mel;

  int edge = 1;                             // the symbol at either end
  std::vector<std::int32_t> word_boundary;  // symbols before every word but the first
  // Phone name, or two joined by a space ("y i1"), to its symbols. A pair wins over two singles.
  std::map<std::string, std::vector<std::int32_t>, std::less<>> phones;
  std::vector<std::string> languages;  // "en", "zh"

  // Width of an encoder row.
  int encoded() const { return 2 * encoder_lstm + speaker; }

  NatSymbols Symbols(std::span<const NatWord> words) const;
};

// Errors: model_config_invalid (kCorrupt) naming the key; model_version_unsupported
// (kUnsupported); model_file_missing (kNotFound).
Result<NatConfig> ParseNatConfig(std::string_view json_text);
Result<NatConfig> ReadNatConfig(const std::filesystem::path& path);

}  // namespace timbre::models
