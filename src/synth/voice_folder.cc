#include "synth/voice_folder.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <random>

#include <nlohmann/json.hpp>

#include "audio/decode.h"
#include "audio/wav.h"
#include "models/sv2tts/speaker_encoder.h"
#include "synth/warnings_json.h"

namespace timbre::synth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMaxNameLength = 64;
constexpr std::uintmax_t kMaxVoiceJsonBytes = 256 * 1024;

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Result<void> CheckName(std::string_view name) {
  if (ValidVoiceName(name)) return {};
  return Fail(ErrorCode::kInvalidArgument, "voice_name_invalid",
              "a voice name is 1 to 64 letters, digits, '_', '-' or '.', beginning with a letter "
              "or digit");
}

Result<json> ReadVoiceJson(const fs::path& path, std::string_view name) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return Fail(ErrorCode::kNotFound, "voice_not_found", "there is no voice named {}", name);
  }
  if (fs::file_size(path, error) > kMaxVoiceJsonBytes || error) {
    return Fail(ErrorCode::kCorrupt, "voice_damaged", "the voice {} is damaged: voice.json", name);
  }
  std::ifstream in(path);
  json voice = json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!voice.is_object()) {
    return Fail(ErrorCode::kCorrupt, "voice_damaged", "the voice {} is damaged: voice.json", name);
  }
  return voice;
}

std::string String(const json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

double Number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

// A folder beside its destination, so that the rename into place is atomic.
fs::path TemporaryBeside(const fs::path& folder) {
  std::random_device device;
  return folder / fmt::format(".{:08x}{:08x}", device(), device());
}

}  // namespace

bool ValidVoiceName(std::string_view name) {
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kMaxNameLength && alphanumeric(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return alphanumeric(c) || c == '_' || c == '-' || c == '.'; });
}

Result<void> VoiceFolder::Save(std::string_view name, const Voice& voice,
                               const audio::Waveform& reference, const Synthesizer& synthesizer,
                               bool replace) const {
  TIMBRE_TRY(CheckName(name));
  const fs::path target = folder_ / name;
  std::error_code error;
  if (fs::exists(target, error) && !replace) {
    return Fail(ErrorCode::kInvalidArgument, "voice_exists",
                "there is a voice named {} already; --replace overwrites it", name);
  }
  const json description = {{"name", name},
                            {"created", Now()},
                            {"reference_seconds", voice.reference_seconds},
                            {"speech_seconds", voice.speech_seconds},
                            {"warnings", WarningsJson(voice.warnings)},
                            {"speaker_encoder", synthesizer.info().speaker_encoder_id},
                            {"speaker_embedding", voice.speaker_embedding}};
  const fs::path temporary = TemporaryBeside(folder_);
  fs::create_directories(temporary, error);
  const auto saved =
      error ? Result<void>(Fail(ErrorCode::kUnavailable, "voice_not_saved",
                                "the voices folder cannot be written: {}", error.message()))
            : audio::WriteWav(temporary / "reference.wav", reference);
  std::ofstream out(temporary / "voice.json");
  out << description.dump(1) << '\n';
  out.close();
  if (saved && out) {
    if (replace) fs::remove_all(target, error);
    fs::rename(temporary, target, error);
  }
  if (saved && out && !error) return {};
  const std::string why = !saved ? saved.error().message : error ? error.message() : "disk full?";
  fs::remove_all(temporary, error);
  return Fail(ErrorCode::kUnavailable, "voice_not_saved", "the voice {} was not saved: {}", name,
              why);
}

Result<Voice> VoiceFolder::Load(std::string_view name, const Synthesizer& synthesizer) const {
  TIMBRE_TRY(CheckName(name));
  TIMBRE_ASSIGN(const json description, ReadVoiceJson(folder_ / name / "voice.json", name));
  Voice voice;
  voice.reference_seconds = Number(description, "reference_seconds");
  voice.speech_seconds = Number(description, "speech_seconds");
  voice.warnings = ParseWarnings(description.value("warnings", json()));
  const json embedding = description.value("speaker_embedding", json());
  const bool usable = embedding.is_array() && embedding.size() == models::kSpeakerEmbeddingSize &&
                      std::all_of(embedding.begin(), embedding.end(),
                                  [](const json& item) { return item.is_number(); });
  if (usable && String(description, "speaker_encoder") == synthesizer.info().speaker_encoder_id) {
    voice.speaker_embedding = embedding.get<std::vector<float>>();
    return voice;
  }
  TIMBRE_ASSIGN(const auto reference, audio::ReadReference(folder_ / name / "reference.wav"));
  return synthesizer.Enroll(reference);
}

Result<void> VoiceFolder::Remove(std::string_view name) const {
  TIMBRE_TRY(CheckName(name));
  std::error_code error;
  if (fs::remove_all(folder_ / name, error) == 0 || error) {
    return Fail(ErrorCode::kNotFound, "voice_not_found", "there is no voice named {}", name);
  }
  return {};
}

std::vector<VoiceEntry> VoiceFolder::List() const {
  std::vector<VoiceEntry> entries;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(folder_, error)) {
    const std::string name = item.path().filename().string();
    if (!ValidVoiceName(name)) continue;
    const auto description = ReadVoiceJson(item.path() / "voice.json", name);
    if (!description) continue;
    entries.push_back({name, String(*description, "created"),
                       Number(*description, "reference_seconds"),
                       ParseWarnings(description->value("warnings", json()))});
  }
  std::sort(entries.begin(), entries.end(),
            [](const VoiceEntry& a, const VoiceEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace timbre::synth
