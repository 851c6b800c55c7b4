#include "nn/checkpoint.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "nn/checkpoint_walk.h"
#include "nn/safetensors.h"

namespace timbre::nn {
namespace {

using Kind = PickleValue::Kind;

// Usual places of the state dictionary, the commonest first.
constexpr std::string_view kStateKeys[] = {"model_state", "state_dict", "model",
                                           "generator",   "weight",     "model_state_dict"};

bool IsZip(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= 4 && bytes[0] == 'P' && bytes[1] == 'K';
}

// GPT-SoVITS: two digits in place of "PK".
bool IsZipWithReplacedMagic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= 4 && std::isdigit(bytes[0]) && std::isdigit(bytes[1]) && bytes[2] == 3 &&
         bytes[3] == 4;
}

std::unexpected<Error> UnknownFormat() {
  return Fail(ErrorCode::kUnsupported, "checkpoint_unknown_format",
              "this is no weight file of a known kind (safetensors, PyTorch)");
}

// A file that starts as a pickle: the old PyTorch format, or a bare pickle, which holds no weights.
Result<TorchFile> ReadPickles(std::span<const std::uint8_t> bytes, const CheckpointLimits& limits) {
  PickleTree tree;
  auto first = ReadPickle(bytes, 0, limits.pickle, tree);
  if (!first) {
    // A pickle of protocol 0 begins like any text; only its danger is worth telling apart.
    const bool pickle = bytes[0] == 0x80 || first.error().reason == "pickle_forbidden_global";
    if (!pickle) return UnknownFormat();
    return std::unexpected(std::move(first).error());
  }
  if (!IsTorchLegacyMagic(*first->value)) {
    if (bytes[0] != 0x80) return UnknownFormat();
    return Fail(ErrorCode::kUnsupported, "checkpoint_no_tensors",
                "this is a bare pickle without tensors' data, not a weight file");
  }
  return ReadTorchLegacy(bytes, limits.pickle);
}

}  // namespace

Result<Checkpoint> Checkpoint::Open(const std::filesystem::path& path,
                                    const CheckpointLimits& limits) {
  TIMBRE_ASSIGN(MappedFile mapped, MappedFile::Open(path));
  Checkpoint file;
  const auto bytes = mapped.bytes();
  file.mapped_ = std::move(mapped);
  auto loaded = Load(std::move(file), bytes, limits);
  if (!loaded) loaded.error().message = path.string() + ": " + loaded.error().message;
  return loaded;
}

Result<Checkpoint> Checkpoint::Parse(std::vector<std::uint8_t> bytes,
                                     const CheckpointLimits& limits) {
  Checkpoint file;
  file.bytes_ = std::move(bytes);
  const std::span<const std::uint8_t> span = file.bytes_;
  return Load(std::move(file), span, limits);
}

Result<Checkpoint> Checkpoint::Load(Checkpoint file, std::span<const std::uint8_t> bytes,
                                    const CheckpointLimits& limits) {
  if (bytes.empty())
    return Fail(ErrorCode::kCorrupt, "checkpoint_unknown_format", "the file is empty");
  const bool replaced = IsZipWithReplacedMagic(bytes);
  if (IsZip(bytes) || replaced) {
    file.container_ = Container::kTorchZip;
    if (replaced) file.replaced_magic_.assign(bytes.begin(), bytes.begin() + 2);
    TIMBRE_TRY(file.LoadTorch(ReadTorchZip(bytes, replaced, limits.max_pickle_bytes, limits.pickle),
                              limits));
  } else if (LooksLikeSafetensors(bytes) && bytes[0] != 0x80) {
    file.container_ = Container::kSafetensors;
    TIMBRE_TRY(file.LoadSafetensors(bytes, limits));
  } else {
    file.container_ = Container::kTorchLegacy;
    TIMBRE_TRY(file.LoadTorch(ReadPickles(bytes, limits), limits));
  }
  if (file.tensors_.empty())
    return Fail(ErrorCode::kUnsupported, "checkpoint_no_tensors", "the file holds no tensors");
  file.FindState();
  return file;
}

Result<void> Checkpoint::LoadSafetensors(std::span<const std::uint8_t> bytes,
                                         const CheckpointLimits& limits) {
  TIMBRE_ASSIGN(Safetensors file,
                ReadSafetensors(bytes, limits.max_pickle_bytes, limits.max_elements));
  tensors_ = std::move(file.tensors);
  PickleValue* root = tree_.Add(Kind::kDict);
  for (auto& [name, text] : file.metadata) {
    PickleValue* key = tree_.Add(Kind::kString);
    key->text = name;
    PickleValue* value = tree_.Add(Kind::kString);
    value->text = std::move(text);
    root->items.push_back(key);
    root->items.push_back(value);
  }
  tree_.set_root(root);
  return {};
}

Result<void> Checkpoint::LoadTorch(Result<TorchFile> file, const CheckpointLimits& limits) {
  if (!file) return std::unexpected(std::move(file).error());
  TIMBRE_ASSIGN(tensors_, WalkTensors(*file, limits));
  format_version_ = std::move(file->format_version);
  tree_ = std::move(file->tree);
  unpacked_ = std::move(file->unpacked);
  return {};
}

void Checkpoint::FindState() {
  for (const std::string_view key : kStateKeys)
    if (const PickleValue* state = root().Find(key); state && state->kind == Kind::kDict)
      if (SelectState(key)) return;
  SelectState("");
}

Result<void> Checkpoint::SelectState(std::string_view path) {
  const std::string prefix = path.empty() ? "" : std::string(path) + ".";
  const auto begin = tensors_.lower_bound(prefix);
  auto end = begin;
  bool distributed = true;
  constexpr std::string_view kModule = "module.";
  for (; end != tensors_.end() && end->first.starts_with(prefix); ++end)
    distributed &= std::string_view(end->first).substr(prefix.size()).starts_with(kModule);
  if (begin == end)
    return Fail(ErrorCode::kInvalidArgument, "checkpoint_no_tensors",
                "the file holds no tensors under \"{}\"", path);
  state_path_ = path;
  state_.clear();
  const std::size_t skip = prefix.size() + (distributed ? kModule.size() : 0);
  for (auto at = begin; at != end; ++at) state_.emplace(at->first.substr(skip), &at->second);
  return {};
}

std::vector<std::string> Checkpoint::Names() const {
  std::vector<std::string> names;
  names.reserve(state_.size());
  for (const auto& [name, tensor] : state_) names.push_back(name);
  return names;
}

const StoredTensor* Checkpoint::Find(std::string_view name) const {
  const auto found = state_.find(name);
  return found == state_.end() ? nullptr : found->second;
}

std::optional<std::vector<std::int64_t>> Checkpoint::Shape(std::string_view name) const {
  const StoredTensor* tensor = Find(name);
  if (!tensor) return std::nullopt;
  return tensor->shape;
}

Result<Weight> Checkpoint::Read(std::string_view name) const {
  const StoredTensor* tensor = Find(name);
  if (!tensor)
    return Fail(ErrorCode::kInvalidArgument, "weight_missing",
                "the checkpoint has no tensor \"{}\"", name);
  return ToWeight(*tensor);
}

std::optional<std::int64_t> Checkpoint::Integer(std::string_view name) const {
  if (const StoredTensor* tensor = Find(name)) return ToInteger(*tensor);
  const PickleValue* value = root().Find(name);
  if (!value && !state_path_.empty())
    if (const PickleValue* state = root().Find(state_path_)) value = state->Find(name);
  return value ? value->AsInt() : std::nullopt;
}

const char* ContainerName(Checkpoint::Container container) {
  switch (container) {
    case Checkpoint::Container::kSafetensors:
      return "safetensors";
    case Checkpoint::Container::kTorchZip:
      return "PyTorch zip";
    case Checkpoint::Container::kTorchLegacy:
      return "PyTorch legacy";
  }
  return "unknown";
}

}  // namespace timbre::nn
