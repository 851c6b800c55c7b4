#include "apps/command.h"

#include <cstdio>

#include <unistd.h>

#include "audio/reference_check.h"
#include "synth/model_folder.h"
#include "synth/voice_folder.h"

namespace timbre::apps {
namespace {

bool quiet = false;

}  // namespace

void SetQuiet(bool value) { quiet = value; }

void Progress(const std::string& line) {
  if (!quiet && isatty(STDERR_FILENO)) std::fprintf(stderr, "%s\n", line.c_str());
}

int ExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kTooLarge:
      return 3;
    case ErrorCode::kNotFound:
      return 4;
    case ErrorCode::kUnsupported:
    case ErrorCode::kCorrupt:
      return 5;
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded:
    case ErrorCode::kCancelled:
      return 6;
    case ErrorCode::kInternal:
      return 1;
  }
  return 1;
}

void Quit(const Error& error) {
  std::fprintf(stderr, "timbre: %s (%s)\n", error.message.c_str(), error.reason.c_str());
  throw CLI::RuntimeError(ExitCode(error.code));
}

void AddModelOptions(CLI::App& command, ModelOptions& options) {
  command.add_option("--model", options.model,
                     "Model folder (model.json, or the checkpoint files themselves); without it "
                     "the voice that comes with timbre");
  command
      .add_option("--precision", options.precision,
                  "auto measures this machine and takes the fastest that keeps the quality")
      ->check(CLI::IsMember({"auto", "f32", "bf16", "int8"}))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "Threads for one utterance; 0 takes all cores")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  command.add_flag("--force", options.force,
                   "Pair a synthesizer and a vocoder whose mel formats do not fit");
}

nn::ThreadBudget Threads(const ModelOptions& options) {
  return nn::ThreadBudget(options.threads > 0 ? options.threads : nn::CpuCount());
}

std::shared_ptr<const synth::Synthesizer> LoadModel(const ModelOptions& options) {
  const auto folder =
      options.model.empty() ? DefaultModelFolder() : std::filesystem::path(options.model);
  Progress("loading " + folder.string());
  synth::LoadOptions load;
  load.precision = options.precision;
  load.allow_mismatch = options.force;
  load.data_folder = DataFolder();
  return OrQuit(synth::LoadModelFolder(folder, load));
}

std::shared_ptr<const text::FrontEnd> LoadFrontEnd() {
  return OrQuit(text::FrontEnd::Load(text::DefaultFrontEndPaths(DataFolder())));
}

synth::Voice LoadVoice(const synth::Synthesizer& synthesizer, const std::string& voice) {
  std::error_code error;
  if (std::filesystem::is_regular_file(voice, error)) {
    return OrQuit(synthesizer.Enroll(OrQuit(audio::ReadReference(voice))));
  }
  return OrQuit(synth::VoiceFolder(VoicesFolder()).Load(voice, synthesizer));
}

}  // namespace timbre::apps
