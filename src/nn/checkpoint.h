// Opens a weight file of any kind that SV2TTS and GPT-SoVITS models come in: safetensors, PyTorch
// zip (also with a version number over its first two bytes, as GPT-SoVITS writes) and PyTorch's
// older chain of pickles. Never runs code from the file (nn/pickle.h). The file stays mapped;
// a tensor's data is touched and converted to f32 only by Read, so optimizer state costs nothing.
//
// A checkpoint's state dictionary is found at the root or under a usual key (model_state,
// state_dict, model, generator, weight, …); as a WeightSource, names are those of that dictionary,
// without the "module." that distributed training puts in front.
//
// Immutable once opened and selected: any number of threads may read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "nn/pickle.h"
#include "nn/stored_tensor.h"
#include "nn/torch_file.h"
#include "nn/weights.h"

namespace timbre::nn {

struct CheckpointLimits {
  std::size_t max_pickle_bytes = 64u << 20;  // also the header of safetensors
  PickleLimits pickle;
  std::size_t max_tensors = 100'000;
  std::int64_t max_elements = std::int64_t{1} << 30;  // of one tensor
  int max_depth = 64;                                 // of nested dictionaries and lists
  std::size_t max_name_bytes = 1024;                  // of a tensor, with its path
};

class Checkpoint final : public WeightSource {
 public:
  enum class Container { kSafetensors, kTorchZip, kTorchLegacy };
  using TensorMap = std::map<std::string, StoredTensor, std::less<>>;

  // Every error's message starts with the path. Reasons: file_not_found, not_a_file,
  // file_unreadable, checkpoint_unknown_format, checkpoint_no_tensors, checkpoint_too_deep,
  // checkpoint_duplicate_tensor, pickle_forbidden_global and the others of nn/pickle.h,
  // base/zip.h, nn/torch_file.h, nn/safetensors.h, nn/stored_tensor.h.
  static Result<Checkpoint> Open(const std::filesystem::path& path,
                                 const CheckpointLimits& limits = {});
  // The same from memory.
  static Result<Checkpoint> Parse(std::vector<std::uint8_t> bytes,
                                  const CheckpointLimits& limits = {});

  Container container() const { return container_; }
  // The version of the container's format: "1001", "3", …; empty for safetensors.
  const std::string& format_version() const { return format_version_; }
  // The two characters that GPT-SoVITS writes in place of "PK" ("05"), else empty.
  const std::string& replaced_magic() const { return replaced_magic_; }

  // All values but the tensors' data: step numbers, configuration. The metadata of safetensors is
  // a dictionary of strings.
  const PickleValue& root() const { return *tree_.root(); }
  // An integer of the root or of the state dictionary ("step", "decoder.r"), also one stored as a
  // tensor of one element.
  std::optional<std::int64_t> Integer(std::string_view name) const;

  // Every tensor of the file by its whole path ("model_state.linear.weight"), but for optimizers'.
  const TensorMap& tensors() const { return tensors_; }
  // Where the state dictionary was found; empty: at the root.
  const std::string& state_path() const { return state_path_; }
  // Makes the dictionary at this path the state dictionary. Error: checkpoint_no_tensors.
  Result<void> SelectState(std::string_view path);

  // Names as in state(): below the state dictionary.
  std::vector<std::string> Names() const override;
  std::optional<std::vector<std::int64_t>> Shape(std::string_view name) const override;
  Result<Weight> Read(std::string_view name) const override;
  // nullptr when absent.
  const StoredTensor* Find(std::string_view name) const;

 private:
  Checkpoint() = default;
  static Result<Checkpoint> Load(Checkpoint file, std::span<const std::uint8_t> bytes,
                                 const CheckpointLimits& limits);
  Result<void> LoadSafetensors(std::span<const std::uint8_t> bytes, const CheckpointLimits& limits);
  Result<void> LoadTorch(Result<TorchFile> file, const CheckpointLimits& limits);
  void FindState();

  std::optional<MappedFile> mapped_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::unique_ptr<std::vector<std::uint8_t>>> unpacked_;
  Container container_ = Container::kSafetensors;
  std::string format_version_;
  std::string replaced_magic_;
  PickleTree tree_;
  TensorMap tensors_;
  std::string state_path_;
  std::map<std::string, const StoredTensor*, std::less<>> state_;
};

// "safetensors", "PyTorch zip", "PyTorch legacy"
const char* ContainerName(Checkpoint::Container container);

}  // namespace timbre::nn
