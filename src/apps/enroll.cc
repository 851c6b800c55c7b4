// timbre enroll FILE --name NAME; timbre voices
#include <cstdio>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "audio/reference_check.h"
#include "synth/voice_folder.h"
#include "synth/warnings_json.h"

namespace timbre::apps {
namespace {

using nlohmann::json;

struct EnrollOptions {
  std::string file;
  std::string name;
  bool replace = false;
  bool as_json = false;
  ModelOptions model;
};

void Enroll(const EnrollOptions& options) {
  if (!synth::ValidVoiceName(options.name)) {
    Quit({ErrorCode::kInvalidArgument, "voice_name_invalid",
          "a voice name is 1 to 64 letters, digits, '_', '-' or '.', beginning with a letter or "
          "digit"});
  }
  const auto reference = OrQuit(audio::ReadReference(options.file));
  const auto synthesizer = LoadModel(options.model);
  const auto voice = OrQuit(synthesizer->Enroll(reference));
  OrQuit(synth::VoiceFolder(VoicesFolder())
             .Save(options.name, voice, reference.waveform, *synthesizer, options.replace));
  if (options.as_json) {
    std::printf("%s\n", json{{"name", options.name},
                             {"reference_seconds", voice.reference_seconds},
                             {"speech_seconds", voice.speech_seconds},
                             {"warnings", synth::WarningsJson(voice.warnings)}}
                            .dump()
                            .c_str());
    return;
  }
  std::printf("enrolled %s from %.2f s (%.2f s of speech)\n", options.name.c_str(),
              voice.reference_seconds, voice.speech_seconds);
  for (const auto& warning : voice.warnings) std::printf("warning: %s\n", warning.message.c_str());
}

struct VoicesOptions {
  std::string remove;
  bool as_json = false;
};

void Voices(const VoicesOptions& options) {
  const synth::VoiceFolder folder(VoicesFolder());
  if (!options.remove.empty()) {
    OrQuit(folder.Remove(options.remove));
    std::printf("removed %s\n", options.remove.c_str());
    return;
  }
  json list = json::array();
  for (const auto& entry : folder.List()) {
    if (!options.as_json) {
      std::printf("%-24s %6.2f s  %s%s\n", entry.name.c_str(), entry.reference_seconds,
                  entry.created.c_str(), entry.warnings.empty() ? "" : "  (with warnings)");
    }
    list.push_back({{"name", entry.name},
                    {"created", entry.created},
                    {"reference_seconds", entry.reference_seconds},
                    {"warnings", synth::WarningsJson(entry.warnings)}});
  }
  if (options.as_json) std::printf("%s\n", list.dump().c_str());
  if (list.empty() && !options.as_json) {
    std::printf("no voices yet; timbre enroll FILE --name NAME keeps one\n");
  }
}

}  // namespace

void AddEnroll(CLI::App& app) {
  auto options = std::make_shared<EnrollOptions>();
  CLI::App* command = app.add_subcommand(
      "enroll", "Keep the voice of a recording (5 to 10 s of one person, no music) under a name");
  command->add_option("file", options->file, "Recording: wav, mp3, m4a, flac, ogg or webm")
      ->required();
  command->add_option("--name", options->name, "Name of the voice")->required();
  command->add_flag("--replace", options->replace, "Overwrite a voice of the same name");
  command->add_flag("--json", options->as_json, "Print the result as JSON");
  AddModelOptions(*command, options->model);
  command->callback([options] { Enroll(*options); });
}

void AddVoices(CLI::App& app) {
  auto options = std::make_shared<VoicesOptions>();
  CLI::App* command = app.add_subcommand("voices", "List the voices kept, or remove one");
  command->add_option("--remove", options->remove, "Remove this voice and its recording");
  command->add_flag("--json", options->as_json, "Print the list as JSON");
  command->callback([options] { Voices(*options); });
}

}  // namespace timbre::apps
