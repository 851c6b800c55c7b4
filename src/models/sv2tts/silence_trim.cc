#include "models/sv2tts/silence_trim.h"

#include <algorithm>

namespace timbre::models {

void SilenceTrim::Push(const nn::Tensor& mel, bool last, nn::Tensor& out) {
  std::int64_t loud = mel.rows();  // rows up to and with the last loud one
  while (loud > 0 && std::ranges::max(mel.row(loud - 1)) < level_) --loud;
  out.Reshape(0, mel.cols());
  if (loud > 0) {
    if (waiting_.rows() > 0) out.AppendRows(waiting_);
    out.AppendRows(mel.Rows(0, loud));
    waiting_.Reshape(0, mel.cols());
  }
  if (loud < mel.rows()) waiting_.AppendRows(mel.Rows(loud, mel.rows()));
  if (last) waiting_.Reshape(0, mel.cols());
}

}  // namespace timbre::models
