// timbre calibrate --voice FILE... -o FILE: the input ranges of an int8 vocoder's layers.
#include <cstdio>

#include "apps/command.h"
#include "models/activation_ranges.h"
#include "nn/calibration.h"
#include "synth/speak.h"

namespace timbre::apps {
namespace {

struct CalibrateOptions {
  std::vector<std::string> voices;
  std::string output;
  ModelOptions model;
};

// Ordinary speech of many sounds; loud and quiet phones decide the ranges.
constexpr const char* kTexts[] = {
    "The quick brown fox jumps over the lazy dog, and she sells sea shells by the shore!",
    "Why should we choose the cheap measure? Both boys enjoyed the thunder.",
    "今天天气真不错，我们一起去公园散步，然后找个地方喝杯咖啡吧。",
    "老师说，学习语言最重要的是坚持，你觉得呢？",
};

class Discard : public synth::ChunkSink {
 public:
  bool Write(std::span<const float>) override { return true; }
};

void RunCalibrate(CalibrateOptions options) {
  options.model.precision = "f32";
  const nn::ThreadBudget threads = Threads(options.model);
  const auto synthesizer = LoadModel(options.model);
  const auto front_end = LoadFrontEnd();
  nn::ActivationRanges ranges;
  Discard sink;
  for (const auto& name : options.voices) {
    const auto voice = LoadVoice(*synthesizer, name);
    Progress("speaking as " + name);
    const nn::RecordRanges scope(ranges);
    for (const char* text : kTexts) {
      OrQuit(synth::SpeakText(*synthesizer, *front_end, text, {}, voice, {}, {}, sink));
    }
  }
  OrQuit(models::WriteActivationRanges(options.output, ranges));
  std::printf("wrote the ranges of %zu layers\n", ranges.all().size());
}

}  // namespace

void AddCalibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand(
      "calibrate",
      "Measure the input ranges that --precision int8 scales by, for \"activation_ranges\" of a "
      "model.json");
  command
      ->add_option("--voice", options->voices,
                   "Recordings or names of voices, two or more are better")
      ->required();
  command->add_option("-o,--output", options->output, "The file to write")->required();
  AddModelOptions(*command, options->model);
  command->callback([options] { RunCalibrate(*options); });
}

}  // namespace timbre::apps
