#include "nn/checkpoint_walk.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "nn/pickle_globals.h"

namespace timbre::nn {
namespace {

using Kind = PickleValue::Kind;

// "optimizer_state", "optimizer", "optim_g", "optimizer_states", …
bool IsOptimizer(std::string_view key) {
  std::string lower(key);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.starts_with("optim");
}

class Walk {
 public:
  Walk(TorchFile& file, const CheckpointLimits& limits) : file_(file), limits_(limits) {}

  Result<void> Visit(const PickleValue& value, const std::string& path, int depth) {
    if (depth > limits_.max_depth)
      return Fail(ErrorCode::kCorrupt, "checkpoint_too_deep",
                  "its values are nested more than {} levels deep", limits_.max_depth);
    // Shared values are met once per mention, which a hostile file can make exponential.
    if (++visited_ > limits_.pickle.max_values)
      return Fail(ErrorCode::kTooLarge, "pickle_too_large", "it names too many values");
    switch (value.kind) {
      case Kind::kTensor:
        return Add(*value.tensor, path);
      case Kind::kDict:
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
          const PickleValue& key = *value.items[i];
          if (key.kind != Kind::kString && key.kind != Kind::kInt) continue;
          if (depth == 0 && key.kind == Kind::kString && IsOptimizer(key.text)) continue;
          const auto name = key.kind == Kind::kString ? key.text : std::to_string(key.integer);
          TIMBRE_TRY(Below(*value.items[i + 1], path, name, depth));
        }
        return {};
      case Kind::kList:
      case Kind::kTuple:
        for (std::size_t i = 0; i < value.items.size(); ++i)
          TIMBRE_TRY(Below(*value.items[i], path, std::to_string(i), depth));
        return {};
      default:
        return {};
    }
  }

  Checkpoint::TensorMap TakeTensors() { return std::move(tensors_); }

 private:
  Result<void> Below(const PickleValue& value, const std::string& path, const std::string& name,
                     int depth) {
    if (value.kind != Kind::kTensor && value.items.empty()) return {};
    if (path.size() + name.size() > limits_.max_name_bytes)
      return Fail(ErrorCode::kCorrupt, "pickle_too_large", "the name of a tensor is too long");
    return Visit(value, path.empty() ? name : path + "." + name, depth + 1);
  }

  Result<void> Add(const PickleTensor& tensor, const std::string& path) {
    if (tensors_.size() >= limits_.max_tensors)
      return Fail(ErrorCode::kTooLarge, "pickle_too_large", "it has more than {} tensors",
                  limits_.max_tensors);
    const auto with_name = [&](const Error& error) {
      return Fail(error.code, error.reason, "tensor \"{}\": {}", PrintableName(path),
                  error.message);
    };
    auto storage = file_.Storage(tensor.storage_key);
    if (!storage) return with_name(storage.error());
    const StoredTensor stored{.dtype = tensor.dtype,
                              .shape = tensor.shape,
                              .strides = tensor.strides,
                              .offset = tensor.offset,
                              .storage = *storage};
    const auto elements = static_cast<std::int64_t>(storage->size() / DTypeBytes(tensor.dtype));
    if (auto checked = CheckStoredTensor(stored, elements, limits_.max_elements); !checked)
      return with_name(checked.error());
    if (!tensors_.emplace(path, stored).second)
      return Fail(ErrorCode::kCorrupt, "checkpoint_duplicate_tensor",
                  "it has two tensors named \"{}\"", PrintableName(path));
    return {};
  }

  TorchFile& file_;
  const CheckpointLimits& limits_;
  Checkpoint::TensorMap tensors_;
  std::size_t visited_ = 0;
};

}  // namespace

Result<Checkpoint::TensorMap> WalkTensors(TorchFile& file, const CheckpointLimits& limits) {
  Walk walk(file, limits);
  TIMBRE_TRY(walk.Visit(*file.tree.root(), "", 0));
  return walk.TakeTensors();
}

}  // namespace timbre::nn
