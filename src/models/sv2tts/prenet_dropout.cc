#include "models/sv2tts/prenet_dropout.h"

#include <utility>

#include "base/check.h"
#include "nn/ops.h"

namespace timbre::models {
namespace {
constexpr float kDrop = 0.5F;
}

PrenetDropout PrenetDropout::Seeded(std::uint64_t seed, std::uint64_t stream) {
  return PrenetDropout(Mode::kSeeded, nn::Random(seed, stream));
}

PrenetDropout PrenetDropout::Off() { return PrenetDropout(Mode::kOff, nn::Random(0)); }

PrenetDropout PrenetDropout::KeepMasks(nn::Tensor keep) {
  PrenetDropout dropout(Mode::kGiven, nn::Random(0));
  dropout.keep_ = std::move(keep);
  return dropout;
}

void PrenetDropout::Apply(std::span<float> row) {
  switch (mode_) {
    case Mode::kOff:
      return;
    case Mode::kSeeded:
      mask_.resize(row.size());
      random_.FillDropout(kDrop, mask_);
      nn::Multiply(mask_, row);
      return;
    case Mode::kGiven: {
      TIMBRE_CHECK(next_ < keep_.rows());
      const std::span<const float> keep = std::as_const(keep_).row(next_++);
      TIMBRE_CHECK(keep.size() >= row.size());
      nn::Multiply(keep.first(row.size()), row);
      nn::Scale(1.0F / (1.0F - kDrop), row);
      return;
    }
  }
}

void PrenetDropout::Apply(nn::Tensor& rows) {
  for (std::int64_t i = 0; i < rows.rows(); ++i) Apply(rows.row(i));
}

}  // namespace timbre::models
