// Loads a model folder into a Synthesizer.
//
// model.json (UTF-8; a path is relative to the folder, or to the data folder after "data:"):
//   {
//     "name": "default",                  optional, else the folder's name
//     "family": "sv2tts",
//     "speaker_encoder": {"weights": "encoder.pt"},
//     "synthesizer": {"weights": "synthesizer.pt", "config": "…", "style": -1,
//                     "stream_ahead": 30},
//     "vocoder": {"weights": "generator.pth", "config": "config.json",
//                 "activation_ranges": "ranges.json"},
//     "precision": "auto | f32 | bf16 | int8",   optional wish, the caller's goes first
//     "languages": ["en", "zh"]           optional
//   }
// Only "weights" is needed: what a checkpoint is, its tensors tell. A folder without model.json
// works too when it holds one checkpoint of each kind (Real-Time-Voice-Cloning's encoder.pt,
// synthesizer.pt, vocoder.pt; any names). A folder without a speaker encoder takes the GE2E one of
// the data folder.
//
// Functions may run on any thread. Nothing half-loaded is ever returned.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "nn/precision.h"
#include "synth/synthesizer.h"

namespace timbre::synth {

struct PartFiles {
  std::filesystem::path weights;
  std::filesystem::path config;             // empty: none named
  std::filesystem::path activation_ranges;  // of a vocoder in int8 (timbre calibrate); empty:
                                            // measured at every call
  int style = -1;        // MockingBird: a style token's number; -1: from the speaker
  int stream_ahead = 0;  // RTVC, MockingBird: frames the postnet waits for; 0: the whole piece
};

struct ModelFiles {
  std::string name;
  std::string family = "sv2tts";
  PartFiles speaker_encoder;
  PartFiles synthesizer;
  PartFiles vocoder;
  std::string precision = "auto";
  std::vector<std::string> languages;
};

struct LoadOptions {
  std::string precision = "auto";     // auto, f32, bf16, int8
  bool allow_mismatch = false;        // pair what does not fit anyway
  std::filesystem::path data_folder;  // weights that packages carry (weights/ge2e, …)
};

// "auto" measures this machine (nn/precision.h) and takes int8 only for a vocoder with known
// activation ranges; a name is taken as it is, the reason then says where it is only emulated.
// Error: unknown_precision.
Result<nn::PrecisionChoice> DecidePrecision(const std::string& wish, const PartFiles& vocoder);

// Finds the files; opens checkpoints only to tell their kind. Errors: model_not_found,
// model_json_invalid (naming the key), model_file_missing, model_ambiguous.
Result<ModelFiles> ReadModelFolder(const std::filesystem::path& folder,
                                   const std::filesystem::path& data_folder);

// Errors: those above, those of the checkpoint readers and of the models (tensor, found and
// expected shape, likely cause), mel_format_mismatch.
Result<std::shared_ptr<const Synthesizer>> LoadModelFolder(const std::filesystem::path& folder,
                                                           const LoadOptions& options);

}  // namespace timbre::synth
