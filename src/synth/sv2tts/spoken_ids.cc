#include <algorithm>

#include "synth/sv2tts/acoustic_models.h"

namespace timbre::synth {

Result<std::vector<int>> SpokenIds(text::TacotronSymbols symbols, std::string_view text) {
  std::vector<int> ids = text::TacotronIds(symbols, text);
  const std::vector<int> letters = text::TacotronIds(symbols, "abcdefghijklmnopqrstuvwxyz");
  const bool speakable = std::any_of(ids.begin(), ids.end(), [&](int id) {
    // The end sign, which is in both, is no letter.
    return std::find(letters.begin(), letters.begin() + 26, id) != letters.begin() + 26;
  });
  if (speakable) return ids;
  return Fail(ErrorCode::kInvalidArgument, "piece_not_speakable",
              "the model reads Latin letters and \"{}\" has none", text);
}

}  // namespace timbre::synth
