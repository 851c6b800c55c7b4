// What a weight file is, told from its tensors' names and shapes alone (the file's own name means
// nothing), and what `timbre inspect` shows of it. Pure functions of an opened checkpoint.
// Sources: the official checkpoints' state dictionaries; GPT-SoVITS's process_ckpt.py for the
// version digits.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nn/checkpoint.h"

namespace timbre::models {

enum class CheckpointKind {
  kUnknown,
  kGe2eEncoder,             // Real-Time-Voice-Cloning, Resemblyzer, MockingBird
  kRtvcSynthesizer,         // Real-Time-Voice-Cloning
  kMockingBirdSynthesizer,  // the same with global style tokens
  kNvidiaTacotron2,
  kWaveRnn,           // variant: "raw 9 bits", "mol"
  kHifigan,           // variant: "v1", "v2", "v3", "MockingBird 16 kHz", "other sizes"
  kHifiganTraining,   // discriminators and optimizer only
  kNatSynthesizer,    // our default model's architecture
  kGptSovitsT2s,      // variant: "v1", "v2" (symbols of v2 and later)
  kGptSovitsDecoder,  // SoVITS; variant: "v1", "v2", "v3", "v3 LoRA", "v4 LoRA", "v2Pro", …
};

const char* CheckpointKindName(CheckpointKind kind);  // "ge2e_encoder", for programs
const char* CheckpointKindText(CheckpointKind kind);  // "GE2E speaker encoder", for people

struct CheckpointSummary {
  struct Tensor {
    std::string name;  // below the state dictionary
    nn::DType dtype;
    std::vector<std::int64_t> shape;
  };

  CheckpointKind kind = CheckpointKind::kUnknown;
  std::string variant;          // empty when the kind has only one
  std::string container;        // "PyTorch zip"
  std::string version;          // of the container, with GPT-SoVITS's digits if it has them
  std::string state_path;       // where the state dictionary lies, empty: at the root
  std::int64_t parameters = 0;  // trained numbers: floating point, without batch statistics
  std::vector<Tensor> tensors;
  // Numbers and short texts beside the tensors, by path: ("step", "1564501"),
  // ("config.model.hidden_dim", "512"). Optimizer settings are left out.
  std::vector<std::pair<std::string, std::string>> values;
};

// Both look at the selected state dictionary.
CheckpointKind IdentifyCheckpoint(const nn::Checkpoint& file, std::string* variant = nullptr);
CheckpointSummary SummarizeCheckpoint(const nn::Checkpoint& file);

}  // namespace timbre::models
