// timbre say TEXT --voice FILE_OR_NAME
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <optional>
#include <sstream>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "audio/wav.h"
#include "synth/speak.h"
#include "synth/warnings_json.h"

namespace timbre::apps {
namespace {

using nlohmann::json;

struct SayOptions {
  std::string text;
  std::string voice;
  std::string language = "auto";
  std::string output = "out.wav";
  std::vector<std::string> pronunciations;
  synth::SpeakOptions speak;
  bool as_json = false;
  ModelOptions model;
};

// Ctrl-C ends the speech at the next chunk, so that the file written so far is whole.
volatile std::sig_atomic_t interrupted = 0;

// Raw samples go to standard output as they come, else a WAV file grows.
class Output : public synth::ChunkSink {
 public:
  Output(const std::string& path, int sample_rate) {
    if (path != "-") file_ = OrQuit(audio::WavWriter::Open(path, sample_rate));
  }

  bool Write(std::span<const float> samples) override {
    if (file_) {
      status_ = file_->Append(samples);
      return status_ && !interrupted;
    }
    std::vector<std::uint8_t> pcm;
    audio::AppendPcm16(samples, pcm);
    const bool read =
        std::fwrite(pcm.data(), 1, pcm.size(), stdout) == pcm.size() && std::fflush(stdout) == 0;
    return read && !interrupted;
  }

  void Close() {
    OrQuit(status_);
    if (file_) OrQuit(file_->Close());
  }

 private:
  std::optional<audio::WavWriter> file_;
  Result<void> status_;
};

json ReportJson(const synth::SpeakReport& report, const synth::ModelInfo& info,
                const synth::Voice& voice, double load_ms, double enroll_ms) {
  const double seconds = static_cast<double>(report.samples) / info.sample_rate;
  return {{"text", report.text},
          {"model", info.name},
          {"synthesizer", info.synthesizer},
          {"vocoder", info.vocoder},
          {"precision", nn::PrecisionName(info.precision)},
          {"precision_reason", info.precision_reason},
          {"sample_rate", info.sample_rate},
          {"pieces", report.pieces},
          {"frames", report.frames},
          {"seconds", seconds},
          {"first_audio_ms", report.first_audio_ms},
          {"rtf", seconds > 0 ? report.total_ms / 1000 / seconds : 0.0},
          {"cut", report.cut},
          {"cancelled", report.cancelled},
          {"skipped", report.skipped},
          {"warnings", synth::WarningsJson(voice.warnings)},
          {"stages_ms",
           {{"load", load_ms},
            {"enroll", enroll_ms},
            {"analyze", report.analyze_ms},
            {"encode", report.encode_ms},
            {"decode", report.decode_ms},
            {"render", report.render_ms},
            {"total", report.total_ms}}}};
}

text::Language ParseLanguage(const std::string& language) {
  if (language == "en") return text::Language::kEnglish;
  if (language == "zh") return text::Language::kMandarin;
  return text::Language::kAuto;
}

// "长假=zhang3 jia4"
void AddOverride(const std::string& pronunciation, text::Overrides& overrides) {
  const auto equals = pronunciation.find('=');
  std::istringstream readings(equals == std::string::npos ? "" : pronunciation.substr(equals + 1));
  std::vector<std::string> parts(std::istream_iterator<std::string>(readings), {});
  if (equals == 0 || parts.empty()) {
    Quit({ErrorCode::kInvalidArgument, "pronunciation_unreadable",
          "a pronunciation is WORD=READING, such as 长假=\"zhang3 jia4\""});
  }
  overrides[pronunciation.substr(0, equals)] = std::move(parts);
}

double Since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void Say(const SayOptions& options) {
  text::AnalyzeOptions analyze;
  analyze.language = ParseLanguage(options.language);
  for (const auto& pronunciation : options.pronunciations) {
    AddOverride(pronunciation, analyze.overrides);
  }
  const nn::ThreadBudget threads = Threads(options.model);
  auto clock = std::chrono::steady_clock::now();
  const auto synthesizer = LoadModel(options.model);
  const auto front_end = LoadFrontEnd();
  const double load_ms = Since(clock);
  clock = std::chrono::steady_clock::now();
  const synth::Voice voice = LoadVoice(*synthesizer, options.voice);
  const double enroll_ms = Since(clock);
  for (const auto& warning : voice.warnings)
    std::fprintf(stderr, "timbre: warning: %s\n", warning.message.c_str());

  Output output(options.output, synthesizer->info().sample_rate);
  const bool raw = options.output == "-";
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGPIPE, SIG_IGN);
  Progress("speaking");
  const auto report = OrQuit(synth::SpeakText(*synthesizer, *front_end, options.text, analyze,
                                              voice, options.speak, {}, output));
  for (const auto& skipped : report.skipped) {
    std::fprintf(stderr, "timbre: warning: no reading known for %s\n", skipped.c_str());
  }
  if (report.cut)
    std::fprintf(stderr, "timbre: warning: the speech ran into its limit and was cut\n");
  output.Close();
  if (options.as_json) {
    const std::string line =
        ReportJson(report, synthesizer->info(), voice, load_ms, enroll_ms).dump();
    std::fprintf(raw ? stderr : stdout, "%s\n", line.c_str());
  }
  if (report.cancelled) {
    Quit({ErrorCode::kCancelled, "interrupted", "the speech was interrupted"});
  }
}

}  // namespace

void AddSay(CLI::App& app) {
  auto options = std::make_shared<SayOptions>();
  CLI::App* command = app.add_subcommand("say", "Speak a text in the voice of a recording");
  command->add_option("text", options->text, "What to say (UTF-8)")->required();
  command
      ->add_option("--voice", options->voice, "A recording, or the name of a voice kept by enroll")
      ->required();
  command->add_option("--lang", options->language, "Language of the text")
      ->check(CLI::IsMember({"auto", "en", "zh"}))
      ->capture_default_str();
  command
      ->add_option("-o,--output", options->output,
                   "Output .wav; - writes raw 16-bit mono samples as they come")
      ->capture_default_str();
  command->add_option("--seed", options->speak.seed, "The same seed gives the same speech")
      ->capture_default_str();
  command->add_option("--speed", options->speak.speed, "2 is twice as fast")
      ->check(CLI::Range(synth::kMinSpeed, synth::kMaxSpeed))
      ->capture_default_str();
  command->add_option("--pronounce", options->pronunciations,
                      "WORD=READING for this text, such as 长假=zhang3 jia4 or GIF=JH IH1 F");
  command->add_flag("--json", options->as_json,
                    "Print timings per stage, first audio, frames and real-time factor as JSON "
                    "(on stderr with -o -)");
  AddModelOptions(*command, options->model);
  command->callback([options] { Say(*options); });
}

}  // namespace timbre::apps
