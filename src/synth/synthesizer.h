// The contract between the model families and everything above them. A family turns a reference
// recording into a Voice, and a piece of text in that voice into sound, in two stages that a
// scheduler can run apart and for many utterances at once:
//
//   Start    text::Piece + Voice -> Generation      (encoder; everything before the first step)
//   Advance  one decoder step of every Generation    (stage 1: acoustic frames)
//   Render   frames that are ready -> samples        (stage 2: vocoder)
//
// A Synthesizer is const and shared by all threads. A Generation belongs to one thread at a time;
// Advance and Render of *different* Generations may run at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "audio/reference_check.h"
#include "audio/warning.h"
#include "base/error.h"
#include "nn/precision.h"
#include "text/analysis.h"

namespace timbre::synth {

// What enrolment keeps of a person: immutable, shared.
struct Voice {
  std::vector<float> speaker_embedding;  // [256], unit length (GE2E)
  double reference_seconds = 0.0;        // of the recording as decoded
  double speech_seconds = 0.0;           // after silence was cut
  std::vector<audio::Warning> warnings;  // of the recording: clipping, background, several voices
};

struct ModelInfo {
  std::string name;
  std::string family;       // "sv2tts"
  std::string synthesizer;  // "nat", "nvidia_tacotron2", "rtvc", "mockingbird"
  std::string vocoder;      // "hifigan", "wavernn"
  int sample_rate = 0;      // Hz, of everything Render yields
  int hop = 0;              // samples per frame
  nn::Precision precision = nn::Precision::kF32;
  std::string precision_reason;        // why this precision runs, for people
  std::vector<std::string> languages;  // "en", "zh"
  std::string speaker_encoder_id;      // embeddings of one encoder mean nothing to another
  bool needs_phones = true;  // false: the text is read by letters (no pronunciation overrides)
};

struct SpeakOptions {
  std::uint64_t seed = 0;
  float speed = 1.0f;  // 2 is twice as fast; kMinSpeed..kMaxSpeed
};
inline constexpr float kMinSpeed = 0.5f;
inline constexpr float kMaxSpeed = 2.0f;

// One piece on its way from text to sound.
class Generation {
 public:
  virtual ~Generation() = default;
  // No more frames will come from Advance.
  virtual bool decoded() const = 0;
  // Decoder frames made so far.
  virtual std::int64_t frames() const = 0;
  // Frames that Render could turn into samples now, the look-ahead of the nets taken off.
  virtual std::int64_t renderable_frames() const = 0;
  // Every sample has been rendered.
  virtual bool finished() const = 0;
  // The decoder was stopped by its limit or guard instead of its own end: the speech may be cut.
  virtual bool cut() const = 0;
};

class Synthesizer {
 public:
  virtual ~Synthesizer() = default;

  virtual const ModelInfo& info() const = 0;

  // One person speaking. Errors: those of audio::PreprocessSpeaker.
  virtual Result<Voice> Enroll(const audio::Reference& reference) const = 0;

  // Errors: piece_not_speakable (no symbol of this model in the piece), speed_out_of_range.
  virtual Result<std::unique_ptr<Generation>> Start(const text::Piece& piece, const Voice& voice,
                                                    const SpeakOptions& options) const = 0;

  // One decoder step of each; those already decoded() are left alone. What a Generation yields
  // does not depend on which others step with it.
  virtual void Advance(std::span<Generation* const> generations) const = 0;

  // Appends every sample that the decoded frames allow (all the rest once decoded()).
  virtual void Render(Generation& generation, std::vector<float>* samples) const = 0;
};

}  // namespace timbre::synth
