#include "models/sv2tts/nat_config.h"

#include <optional>

#include "models/json_fields.h"

namespace timbre::models {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 1 << 20;
constexpr std::size_t kMaxPhones = 4096;
constexpr std::size_t kMaxSymbolsPerPhone = 16;

std::unexpected<Error> Invalid(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "model_config_invalid",
              "the synthesizer's nat.json is not usable: {}", what);
}

// A list of symbol ids; it may be empty, for a phone that leaves no trace.
std::optional<std::vector<std::int32_t>> SymbolList(const json& list, int symbols) {
  if (!list.is_array() || list.size() > kMaxSymbolsPerPhone) return std::nullopt;
  std::vector<std::int32_t> ids;
  for (const json& id : list) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= static_cast<unsigned>(symbols)) {
      return std::nullopt;
    }
    ids.push_back(id.get<std::int32_t>());
  }
  return ids;
}

}  // namespace

NatSymbols NatConfig::Symbols(std::span<const NatWord> words) const {
  NatSymbols result;
  const auto append = [&](const std::vector<std::int32_t>& ids, bool audible) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      result.ids.push_back(ids[i]);
      result.audible.push_back(audible && i == 0 ? 1 : 0);
    }
  };
  append({edge}, false);
  bool spoken = false;  // a word has been spoken: the next one follows a boundary
  for (const NatWord& word : words) {
    if (!word.punctuation) {
      if (spoken) append(word_boundary, false);
      spoken = true;
    }
    for (std::size_t i = 0; i < word.phones.size(); ++i) {
      if (i + 1 < word.phones.size()) {
        const auto pair = phones.find(word.phones[i] + " " + word.phones[i + 1]);
        if (pair != phones.end()) {
          append(pair->second, !word.punctuation);
          ++i;
          continue;
        }
      }
      const auto single = phones.find(word.phones[i]);
      if (single == phones.end()) {
        result.unknown.push_back(word.phones[i]);
      } else {
        append(single->second, !word.punctuation);
      }
    }
  }
  append({edge}, false);
  return result;
}

Result<NatConfig> ParseNatConfig(std::string_view json_text) {
  const json object = ParseJsonObject(json_text, kMaxConfigBytes);
  if (object.is_discarded()) return Invalid("it is no JSON object of at most 1 MiB");
  if (object.value("format", json()) != 1 ||
      object.value("architecture", json()) != "non-attentive-tacotron") {
    return Fail(ErrorCode::kUnsupported, "model_version_unsupported",
                "the synthesizer's nat.json is not of format 1 of a non-attentive Tacotron");
  }

  NatConfig config;
  const json sizes_object = object.value("sizes", json());
  JsonFields sizes(sizes_object);
  config.symbols = sizes.Int("symbols", 2, 1 << 16);
  config.embedding = sizes.Int("embedding", 1, 4096);
  config.encoder_lstm = sizes.Int("encoder_lstm", 1, 4096);
  config.speaker_embedding = sizes.Int("speaker_embedding", 1, 4096);
  config.speaker = sizes.Int("speaker", 1, 4096);
  config.duration_lstm = sizes.Int("duration_lstm", 1, 4096);
  config.prenet = sizes.Int("prenet", 1, 4096);
  config.decoder_lstm = sizes.Int("decoder_lstm", 1, 4096);
  config.postnet = sizes.Int("postnet", 1, 4096);
  config.position_scale = sizes.Number("position_scale", 0.01, 1000);
  config.prenet_dropout = sizes.Number("prenet_dropout", 0, 0.9);
  config.mel.bins = sizes.Int("mel", 1, 1024);
  if (sizes.problem()) return Invalid(*sizes.problem());

  const json mel_object = object.value("mel", json());
  JsonFields mel(mel_object);
  config.mel.sample_rate = mel.Int("rate", 8000, 192000);
  config.mel.hop = mel.Int("hop", 1, 4096);
  config.mel.fmax = mel.Number("fmax", 0, 96000);
  if (mel.problem()) return Invalid(*mel.problem());
  if (mel_object.value("log", json()) != "ln") return Invalid("the mel's \"log\" is not \"ln\"");
  config.mel.scale = MelScale::kNaturalLog;

  JsonFields top(object);
  config.edge = top.Int("edge", 0, config.symbols - 1);
  if (top.problem()) return Invalid(*top.problem());
  const auto boundary = SymbolList(object.value("word_boundary", json()), config.symbols);
  if (!boundary) return Invalid("\"word_boundary\" is no list of symbols");
  config.word_boundary = *boundary;

  const json phones = object.value("phones", json());
  if (!phones.is_object() || phones.empty() || phones.size() > kMaxPhones) {
    return Invalid("\"phones\" is no table of phones");
  }
  for (const auto& [name, list] : phones.items()) {
    auto ids = SymbolList(list, config.symbols);
    if (!ids) return Invalid(fmt::format("the phone \"{}\" is no list of symbols", name));
    config.phones[name] = *std::move(ids);
  }
  for (const json& language : object.value("languages", json::array())) {
    if (!language.is_string()) return Invalid("\"languages\" is no list of names");
    config.languages.push_back(language.get<std::string>());
  }
  return config;
}

Result<NatConfig> ReadNatConfig(const std::filesystem::path& path) {
  TIMBRE_ASSIGN(const std::string text, ReadSmallFile(path, kMaxConfigBytes));
  return ParseNatConfig(text);
}

}  // namespace timbre::models
