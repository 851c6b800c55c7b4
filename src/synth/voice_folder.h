// Voices kept under a name: one folder each, with the reference recording and what was made of it.
//   NAME/reference.wav   the recording as enrolled (mono, 16-bit), so that another speaker encoder
//                        can be applied later
//   NAME/voice.json      embedding, the encoder it belongs to, lengths, warnings, date
// Names match [A-Za-z0-9][A-Za-z0-9_.-]{0,63} and never reach the file system otherwise.
// Safe to use from several threads and processes: a voice appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "audio/waveform.h"
#include "base/error.h"
#include "synth/synthesizer.h"

namespace timbre::synth {

struct VoiceEntry {
  std::string name;
  std::string created;  // ISO 8601, UTC
  double reference_seconds = 0.0;
  std::vector<audio::Warning> warnings;
};

class VoiceFolder {
 public:
  explicit VoiceFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Keeps `voice`, enrolled from `reference` by `synthesizer`. Errors: voice_name_invalid,
  // voice_exists, voice_not_saved.
  Result<void> Save(std::string_view name, const Voice& voice, const audio::Waveform& reference,
                    const Synthesizer& synthesizer, bool replace) const;
  // Enrols again from the recording when the voice was made with another speaker encoder.
  // Errors: voice_not_found, voice_damaged, and those of Synthesizer::Enroll.
  Result<Voice> Load(std::string_view name, const Synthesizer& synthesizer) const;
  Result<void> Remove(std::string_view name) const;
  std::vector<VoiceEntry> List() const;  // by name; damaged ones are left out

 private:
  std::filesystem::path folder_;
};

bool ValidVoiceName(std::string_view name);

}  // namespace timbre::synth
