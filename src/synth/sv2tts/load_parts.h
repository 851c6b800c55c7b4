// Reads the three parts of an SV2TTS model from their checkpoints, each usable alone (bench).
// Errors: those of the checkpoint readers and models; model_part_wrong when a file is another
// kind of checkpoint than its place asks for.
#pragma once

#include <memory>

#include "base/error.h"
#include "models/sv2tts/speaker_encoder.h"
#include "nn/precision.h"
#include "synth/model_folder.h"
#include "synth/sv2tts/acoustic_model.h"
#include "synth/sv2tts/vocoder.h"

namespace timbre::synth {

Result<std::shared_ptr<const models::SpeakerEncoder>> LoadSpeakerEncoder(const PartFiles& files);
Result<std::unique_ptr<const AcousticModel>> LoadAcousticModel(const PartFiles& files,
                                                               nn::Precision precision);
Result<std::unique_ptr<const Vocoder>> LoadVocoder(const PartFiles& files, nn::Precision precision);

}  // namespace timbre::synth
