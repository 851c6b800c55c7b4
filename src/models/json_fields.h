// Numbers out of a model's JSON config, which is outside input: each is checked against bounds, and
// the first one that is missing or out of range is kept, so that a parser reads like the format.
// For the .cc files of this room only (it shows the JSON library).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace timbre::models {

class JsonFields {
 public:
  explicit JsonFields(const nlohmann::json& object) : object_(object) {}

  int Int(const char* key, int low, int high);
  double Number(const char* key, double low, double high);
  std::vector<int> Ints(const char* key, std::size_t max_size, int low, int high);
  std::vector<std::vector<int>> IntLists(const char* key, std::size_t max_size,
                                         std::size_t max_inner, int low, int high);
  bool Has(const char* key) const { return Find(key) != nullptr; }

  // "\"hop_size\" is missing or out of range", of the first such key.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  const nlohmann::json* Find(const char* key) const;
  void Refuse(const char* key);
  int IntFrom(const nlohmann::json* value, const char* key, int low, int high);
  std::vector<int> IntsFrom(const nlohmann::json* list, const char* key, std::size_t max_size,
                            int low, int high);

  const nlohmann::json& object_;
  std::optional<std::string> problem_;
};

// The object in a JSON text of at most `max_bytes`; a discarded value when it is none.
nlohmann::json ParseJsonObject(std::string_view text, std::size_t max_bytes);

// A small text file; one byte more than `max_bytes` at most, so that a parser can refuse it.
Result<std::string> ReadSmallFile(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace timbre::models
