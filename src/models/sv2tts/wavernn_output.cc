#include "models/sv2tts/wavernn_output.h"

#include <algorithm>
#include <cmath>

namespace timbre::models {

float DecodeMuLaw(float y, int bits) {
  const double mu = static_cast<double>((std::int64_t{1} << bits) - 1);
  return static_cast<float>(std::copysign((std::pow(1.0 + mu, std::abs(double{y})) - 1.0) / mu, y));
}

FoldPlan FoldPlan::For(std::int64_t samples, std::int64_t target, std::int64_t overlap) {
  const std::int64_t stride = target + overlap;
  const std::int64_t beyond_first = std::max<std::int64_t>(0, samples - overlap);
  return {.folds = std::max<std::int64_t>(1, (beyond_first + stride - 1) / stride),
          .target = target,
          .overlap = overlap};
}

std::vector<float> Unfold(const FoldPlan& plan, nn::Tensor folds, Seams seams) {
  const std::int64_t cold = plan.overlap / 2;
  const std::int64_t fade = plan.overlap - cold;
  std::vector<float> in(static_cast<std::size_t>(plan.overlap), 0.0F);
  std::vector<float> out(static_cast<std::size_t>(plan.overlap),
                         seams == Seams::kOfficial ? 0.0F : 1.0F);
  float* const out_fade = out.data() + (seams == Seams::kOfficial ? 0 : cold);
  for (std::int64_t i = 0; i < fade; ++i) {
    // numpy.linspace(-1, 1, fade)
    const double t = fade > 1 ? -1.0 + 2.0 * static_cast<double>(i) / (fade - 1) : -1.0;
    in[cold + i] = static_cast<float>(std::sqrt(0.5 * (1.0 + t)));
    out_fade[i] = static_cast<float>(std::sqrt(0.5 * (1.0 - t)));
  }
  std::vector<float> samples(static_cast<std::size_t>(plan.start(plan.folds) + plan.overlap), 0.0F);
  for (std::int64_t fold = 0; fold < plan.folds; ++fold) {
    const std::span<float> row = folds.row(fold);
    const bool fade_in = fold > 0 || seams == Seams::kOfficial;
    const bool fade_out = fold + 1 < plan.folds || seams == Seams::kOfficial;
    for (std::int64_t i = 0; i < plan.overlap; ++i) {
      if (fade_in) row[i] *= in[i];
      if (fade_out) row[plan.length() - plan.overlap + i] *= out[i];
    }
    for (std::int64_t i = 0; i < plan.length(); ++i) samples[plan.start(fold) + i] += row[i];
  }
  return samples;
}

void OfficialEnding(std::int64_t hop, std::vector<float>& samples) {
  const auto size = static_cast<std::int64_t>(samples.size());
  samples.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, size - hop)));
  const std::int64_t fade = 20 * hop;
  const auto rest = static_cast<std::int64_t>(samples.size());
  for (std::int64_t i = std::max<std::int64_t>(0, fade - rest); i < fade; ++i) {
    const double gain = 1.0 - static_cast<double>(i) / static_cast<double>(fade - 1);
    samples[rest - fade + i] *= static_cast<float>(gain);
  }
}

}  // namespace timbre::models
