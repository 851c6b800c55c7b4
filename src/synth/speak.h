// Speaks a whole text with one Synthesizer on the calling thread: analysis, pieces one after the
// other, chunks to a sink as soon as they can be heard. (Many users at once are the pipeline's
// business; this is the shortest path, used by the program and by tests.)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "synth/synthesizer.h"
#include "text/front_end.h"

namespace timbre::synth {

// Receives sound in order. Returning false cancels the rest.
class ChunkSink {
 public:
  virtual ~ChunkSink() = default;
  virtual bool Write(std::span<const float> samples) = 0;  // at ModelInfo::sample_rate
};

struct ChunkPolicy {
  std::int64_t first_frames = 3;  // the first chunk leaves when this many frames can be rendered
  std::int64_t next_frames = 7;   // about 80 ms at 22.05 kHz, hop 256
};

struct SpeakReport {
  std::string text;  // as spoken, after normalisation
  std::int64_t pieces = 0;
  std::int64_t frames = 0;
  std::int64_t samples = 0;
  bool cut = false;                  // a decoder ran into its limit
  bool cancelled = false;            // by the sink
  std::vector<std::string> skipped;  // characters with no known reading
  double analyze_ms = 0;             // stages, summed over the pieces
  double encode_ms = 0;
  double decode_ms = 0;
  double render_ms = 0;
  double first_audio_ms = 0;  // from the call to the first chunk
  double total_ms = 0;
};

Result<SpeakReport> SpeakText(const Synthesizer& synthesizer, const text::FrontEnd& front_end,
                              std::string_view text, const text::AnalyzeOptions& analyze,
                              const Voice& voice, const SpeakOptions& options,
                              const ChunkPolicy& chunks, ChunkSink& sink);

}  // namespace timbre::synth
