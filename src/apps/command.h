// What the subcommands share: where things lie, how errors and results are shown.
// Single-threaded; used by main only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "nn/threads.h"
#include "synth/synthesizer.h"
#include "text/front_end.h"

namespace timbre::apps {

// Each adds a subcommand; its callback throws CLI::RuntimeError(exit code) to end with failure.
void AddSay(CLI::App& app);
void AddEnroll(CLI::App& app);
void AddVoices(CLI::App& app);
void AddInspect(CLI::App& app);
void AddBench(CLI::App& app);
void AddCalibrate(CLI::App& app);

// 2 wrong use of the program, 3 unusable input, 4 not found, 5 not supported or damaged,
// 6 unavailable or interrupted, 1 anything else.
int ExitCode(ErrorCode code);

// Prints "timbre: message (reason)" to stderr and ends the subcommand.
[[noreturn]] void Quit(const Error& error);

template <typename T>
T OrQuit(Result<T> result) {
  if (!result) Quit(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// A line on stderr that names long work while it runs; silent with --quiet or when it isn't a
// terminal.
void Progress(const std::string& line);
void SetQuiet(bool quiet);

// Options that several subcommands take.
struct ModelOptions {
  std::string model;               // folder; empty is the default voice
  std::string precision = "auto";  // auto, f32, bf16, int8
  int threads = 0;                 // 0: all cores
  bool force = false;              // pair a synthesizer and vocoder that do not fit
};
void AddModelOptions(CLI::App& command, ModelOptions& options);
nn::ThreadBudget Threads(const ModelOptions& options);  // while it lives
std::shared_ptr<const synth::Synthesizer> LoadModel(const ModelOptions& options);
std::shared_ptr<const text::FrontEnd> LoadFrontEnd();

// A voice by name from the voices folder, or enrolled from a recording when `voice` is a file.
synth::Voice LoadVoice(const synth::Synthesizer& synthesizer, const std::string& voice);

std::filesystem::path DefaultModelFolder();  // $TIMBRE_MODEL, or beside the program
std::filesystem::path DataFolder();          // $TIMBRE_DATA, or beside the program
std::filesystem::path VoicesFolder();        // $TIMBRE_VOICES, or the user's data folder

}  // namespace timbre::apps
