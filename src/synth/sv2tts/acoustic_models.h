// The adapters: one per synthesizer model of the family. Each is a file of its own.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "models/sv2tts/nat_synthesizer.h"
#include "models/sv2tts/nvidia_tacotron2.h"
#include "models/sv2tts/rtvc_synthesizer.h"
#include "synth/sv2tts/acoustic_model.h"
#include "text/tacotron_symbols.h"

namespace timbre::synth {

std::unique_ptr<const AcousticModel> MakeAcousticModel(
    std::shared_ptr<const models::NatSynthesizer> model);
std::unique_ptr<const AcousticModel> MakeAcousticModel(
    std::shared_ptr<const models::NvidiaTacotron2> model);

struct RtvcSettings {
  int hop = 200;         // samples per frame; some MockingBird checkpoints have another
  int stream_ahead = 0;  // frames the postnet waits for (approximate); 0: the whole piece (exact)
  int style = -1;        // MockingBird's style token, -1: from the speaker
};
std::unique_ptr<const AcousticModel> MakeAcousticModel(
    std::shared_ptr<const models::RtvcSynthesizer> model, const RtvcSettings& settings);

// Ids of a piece's text for a model that reads letters. Error: piece_not_speakable when the symbol
// set has no letter of it (Mandarin for an English model).
Result<std::vector<int>> SpokenIds(text::TacotronSymbols symbols, std::string_view text);

}  // namespace timbre::synth
