// The sizes of a HiFi-GAN generator, as its config.json states them (Kong et al. 2020, table 4 of
// the paper's appendix; https://github.com/jik876/hifi-gan). The file is outside input: everything
// in it is checked against bounds before a weight is touched.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "models/mel_format.h"
#include "nn/weights.h"

namespace timbre::models {

struct HifiGanConfig {
  int resblock = 1;  // residual block type of the paper: 1 or 2
  int upsample_initial_channel = 512;
  std::vector<int> upsample_rates;  // one per stage; the product is the hop
  std::vector<int> upsample_kernel_sizes;
  std::vector<int> resblock_kernel_sizes;                 // parallel residual blocks of a stage
  std::vector<std::vector<int>> resblock_dilation_sizes;  // of each of those
  MelFormat mel;

  // Mel frames that one output sample depends on after its own: the look-ahead of streaming.
  int LookAheadFrames() const;
};

// Errors: vocoder_config_invalid (kCorrupt) naming the key; model_file_missing (kNotFound).
Result<HifiGanConfig> ParseHifiGanConfig(std::string_view json_text);
Result<HifiGanConfig> ReadHifiGanConfig(const std::filesystem::path& path);

// The config that a checkpoint's own shapes tell, for generator files that come without one: the
// published generators and relatives with the same conventions (kernel = 2 x rate, the paper's
// dilations). Error: vocoder_config_missing (kUnsupported) when the shapes are no such generator.
Result<HifiGanConfig> InferHifiGanConfig(const nn::WeightReader& generator);

}  // namespace timbre::models
