#include "synth/speak.h"

#include <chrono>
#include <cmath>

namespace timbre::synth {
namespace {

using Clock = std::chrono::steady_clock;

// Adds the time since the last call to one stage or another.
class StageClock {
 public:
  double SinceStart() const { return Milliseconds(Clock::now() - start_); }
  void AddTo(double& stage_ms) {
    const auto now = Clock::now();
    stage_ms += Milliseconds(now - last_);
    last_ = now;
  }

 private:
  static double Milliseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
  }
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace

Result<SpeakReport> SpeakText(const Synthesizer& synthesizer, const text::FrontEnd& front_end,
                              std::string_view text, const text::AnalyzeOptions& analyze,
                              const Voice& voice, const SpeakOptions& options,
                              const ChunkPolicy& chunks, ChunkSink& sink) {
  SpeakReport report;
  StageClock clock;
  TIMBRE_ASSIGN(const text::Analysis analysis, front_end.Analyze(text, analyze));
  clock.AddTo(report.analyze_ms);
  report.skipped = analysis.skipped;

  std::vector<float> samples;
  const auto emit = [&] {
    if (samples.empty()) return true;
    if (report.samples == 0) report.first_audio_ms = clock.SinceStart();
    report.samples += static_cast<std::int64_t>(samples.size());
    const bool wanted = sink.Write(samples);
    samples.clear();
    report.cancelled = !wanted;
    return wanted;
  };

  for (std::size_t i = 0; i < analysis.pieces.size() && !report.cancelled; ++i) {
    const text::Piece& piece = analysis.pieces[i];
    auto started = synthesizer.Start(piece, voice, options);
    clock.AddTo(report.encode_ms);
    if (!started) return std::unexpected(std::move(started).error());
    Generation* generation = started->get();
    if (!report.text.empty()) report.text += ' ';
    report.text += piece.text;
    ++report.pieces;
    while (!generation->finished() && !report.cancelled) {
      const std::int64_t wanted = report.samples == 0 ? chunks.first_frames : chunks.next_frames;
      while (!generation->decoded() && generation->renderable_frames() < wanted) {
        synthesizer.Advance({&generation, 1});
      }
      clock.AddTo(report.decode_ms);
      synthesizer.Render(*generation, &samples);
      clock.AddTo(report.render_ms);
      emit();
    }
    report.frames += generation->frames();
    report.cut |= generation->cut();
    if (i + 1 < analysis.pieces.size() && !report.cancelled) {
      samples.assign(
          static_cast<std::size_t>(std::lround(piece.pause_after * synthesizer.info().sample_rate)),
          0.0F);
      emit();
    }
  }
  report.total_ms = clock.SinceStart();
  return report;
}

}  // namespace timbre::synth
