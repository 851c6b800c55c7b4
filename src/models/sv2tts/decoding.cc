#include "models/sv2tts/decoding.h"

#include <cmath>

namespace timbre::models {

DecodeOptions DecodeOptions::Seeded(std::uint64_t seed) {
  DecodeOptions options;
  options.encoder_dropout = PrenetDropout::Seeded(seed, 0);
  options.decoder_dropout = PrenetDropout::Seeded(seed, 1);
  return options;
}

Result<void> CheckSymbols(std::span<const std::int32_t> ids, int symbols) {
  if (ids.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no_symbols", "there is no symbol to speak");
  }
  for (const std::int32_t id : ids) {
    if (id < 0 || id >= symbols) {
      return Fail(ErrorCode::kInvalidArgument, "symbol_unknown",
                  "symbol number {} is outside this model's {} symbols", id, symbols);
    }
  }
  return {};
}

Result<void> CheckSpeaker(std::span<const float> speaker, int speaker_size) {
  if (static_cast<int>(speaker.size()) == speaker_size) return {};
  return Fail(ErrorCode::kInvalidArgument, "speaker_embedding_size",
              "the speaker embedding has {} values, this model takes {}", speaker.size(),
              speaker_size);
}

nn::Tensor AppendToRows(const nn::Tensor& x, std::span<const float> values) {
  nn::Tensor y(x.rows(), x.cols() + static_cast<std::int64_t>(values.size()));
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    std::ranges::copy(x.row(i), y.row(i).begin());
    std::ranges::copy(values, y.row(i).begin() + x.cols());
  }
  return y;
}

float Probability(float logit) { return 1.0F / (1.0F + std::exp(-logit)); }

}  // namespace timbre::models
