#include "nn/pickle_value.h"

namespace timbre::nn {

const PickleValue* PickleValue::Find(std::string_view key) const {
  if (kind != Kind::kDict && kind != Kind::kObject) return nullptr;
  for (std::size_t i = items.size(); i >= 2; i -= 2)
    if (items[i - 2]->kind == Kind::kString && items[i - 2]->text == key) return items[i - 1];
  return nullptr;
}

const PickleValue* PickleValue::At(std::initializer_list<std::string_view> path) const {
  const PickleValue* value = this;
  for (const std::string_view key : path)
    if (!(value = value->Find(key))) break;
  return value;
}

std::optional<std::int64_t> PickleValue::AsInt() const {
  if (kind == Kind::kInt || kind == Kind::kBool) return integer;
  return std::nullopt;
}

std::optional<double> PickleValue::AsNumber() const {
  if (kind == Kind::kFloat) return number;
  if (kind == Kind::kInt || kind == Kind::kBool) return static_cast<double>(integer);
  return std::nullopt;
}

std::optional<std::string_view> PickleValue::AsString() const {
  if (kind == Kind::kString) return text;
  return std::nullopt;
}

PickleValue* PickleTree::Add(PickleValue::Kind kind) {
  PickleValue& value = values_.emplace_back();
  value.kind = kind;
  return &value;
}

}  // namespace timbre::nn
