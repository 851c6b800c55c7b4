#include "models/json_fields.h"

#include <fstream>

namespace timbre::models {

using nlohmann::json;

const json* JsonFields::Find(const char* key) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

void JsonFields::Refuse(const char* key) {
  if (!problem_) problem_ = fmt::format("\"{}\" is missing or out of range", key);
}

int JsonFields::Int(const char* key, int low, int high) {
  return IntFrom(Find(key), key, low, high);
}

double JsonFields::Number(const char* key, double low, double high) {
  const json* value = Find(key);
  if (value == nullptr || !value->is_number()) {
    Refuse(key);
    return low;
  }
  const double number = value->get<double>();
  if (!(number >= low && number <= high)) {
    Refuse(key);
    return low;
  }
  return number;
}

std::vector<int> JsonFields::Ints(const char* key, std::size_t max_size, int low, int high) {
  return IntsFrom(Find(key), key, max_size, low, high);
}

std::vector<std::vector<int>> JsonFields::IntLists(const char* key, std::size_t max_size,
                                                   std::size_t max_inner, int low, int high) {
  const json* lists = Find(key);
  std::vector<std::vector<int>> result;
  if (lists == nullptr || !lists->is_array() || lists->size() > max_size) {
    Refuse(key);
    return result;
  }
  for (const json& list : *lists) result.push_back(IntsFrom(&list, key, max_inner, low, high));
  return result;
}

int JsonFields::IntFrom(const json* value, const char* key, int low, int high) {
  if (value == nullptr || !value->is_number_integer()) {
    Refuse(key);
    return low;
  }
  // An unsigned number beyond int64 wraps below zero and is out of range, too.
  const auto number = value->get<std::int64_t>();
  if (number < low || number > high) {
    Refuse(key);
    return low;
  }
  return static_cast<int>(number);
}

std::vector<int> JsonFields::IntsFrom(const json* list, const char* key, std::size_t max_size,
                                      int low, int high) {
  std::vector<int> result;
  if (list == nullptr || !list->is_array() || list->empty() || list->size() > max_size) {
    Refuse(key);
    return result;
  }
  for (const json& value : *list) result.push_back(IntFrom(&value, key, low, high));
  return result;
}

json ParseJsonObject(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) return json(json::value_t::discarded);
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return json(json::value_t::discarded);
  return object;
}

Result<std::string> ReadSmallFile(const std::filesystem::path& path, std::size_t max_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kNotFound, "model_file_missing", "the file {} could not be opened",
                path.string());
  }
  std::string text(max_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace timbre::models
