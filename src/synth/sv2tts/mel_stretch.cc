#include "synth/sv2tts/mel_stretch.h"

#include <algorithm>
#include <cmath>

namespace timbre::synth {

void MelStretch::Apply(nn::Tensor& mel, bool last) {
  if (speed_ == 1.0) return;
  const std::int64_t bins = mel.rows() > 0 ? mel.cols() : pending_.cols();
  pending_.AppendRows(mel);
  nn::Tensor out;
  for (;; ++produced_) {
    const double position = static_cast<double>(produced_) * speed_ - static_cast<double>(first_);
    const auto below = static_cast<std::int64_t>(std::floor(position));
    if (below >= pending_.rows() || (below + 1 >= pending_.rows() && !last)) break;
    const auto above = std::min(below + 1, pending_.rows() - 1);
    const auto share = static_cast<float>(position - static_cast<double>(below));
    nn::Tensor row(1, bins);
    for (std::int64_t b = 0; b < bins; ++b) {
      row.at(0, b) = (1 - share) * pending_.at(below, b) + share * pending_.at(above, b);
    }
    out.AppendRows(row);
  }
  // Rows before the next position are not needed again.
  const auto next = static_cast<std::int64_t>(std::floor(static_cast<double>(produced_) * speed_));
  const std::int64_t done = std::clamp<std::int64_t>(next - first_, 0, pending_.rows());
  pending_.DropFrontRows(done);
  first_ += done;
  if (out.rows() == 0) out.Reshape(0, bins);
  mel = std::move(out);
}

}  // namespace timbre::synth
