// Where model code gets its weights: a named set of tensors read from a checkpoint
// (nn/checkpoint.h) or made by a test. Taking a tensor that is missing or has another shape
// latches one clear error and yields zeros, so that a model's constructor reads like its
// architecture; the caller asks status() once at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace timbre::nn {

// A weight on the host in f32, N-dimensional, row-major, in the checkpoint's own layout.
struct Weight {
  std::vector<std::int64_t> shape;
  std::vector<float> values;

  std::int64_t dim(std::size_t i) const { return shape.at(i); }
  std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
};

// The names and shapes of a checkpoint, and its tensors converted to f32 on demand.
class WeightSource {
 public:
  virtual ~WeightSource() = default;
  virtual std::vector<std::string> Names() const = 0;
  virtual std::optional<std::vector<std::int64_t>> Shape(std::string_view name) const = 0;
  virtual Result<Weight> Read(std::string_view name) const = 0;
};

class WeightReader {
 public:
  // `source` must outlive the reader and its children.
  explicit WeightReader(const WeightSource& source, std::string prefix = "");

  // A reader below this one: Child("decoder").Take("prenet.weight", …) reads
  // "decoder.prenet.weight". Errors latch in the root.
  WeightReader Child(std::string_view name) const;

  bool Has(std::string_view name) const;
  // Shape of a tensor, or nullopt; for sizes that the checkpoint decides.
  std::optional<std::vector<std::int64_t>> Shape(std::string_view name) const;

  // The tensor `name`, whose shape must be `shape` (-1 accepts any size in that place). Errors,
  // latched: weight_missing, weight_shape; the message has the name, the found and the expected
  // shape, and `likely_cause` when the model knows one ("a symbol table of another size").
  Weight Take(std::string_view name, std::initializer_list<std::int64_t> shape,
              std::string_view likely_cause = {});
  // A convolution's or linear layer's weight with weight norm folded in when the checkpoint has
  // it, in either spelling (weight_g/weight_v, parametrizations.weight.original0/1); norm over
  // all dimensions but the first.
  Weight TakeWeightNorm(std::string_view layer, std::initializer_list<std::int64_t> shape);

  // The first error met by this reader, its parent or its children.
  Result<void> status() const;
  // Latches an error of the model's own (first one wins).
  void Refuse(Error error);

 private:
  struct Shared;

  std::string FullName(std::string_view name) const;

  std::shared_ptr<Shared> shared_;
  std::string prefix_;
};

}  // namespace timbre::nn
