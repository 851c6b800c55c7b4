// The plain values of a Python pickle, as nn/pickle.h reads them: numbers, strings, lists,
// dictionaries, tensors. Values are immutable after loading and live as long as their tree.
// They may be shared and, in a hostile file, even contain themselves: walk them with a depth
// limit and a budget (nn/checkpoint.cc does).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/stored_tensor.h"

namespace timbre::nn {

// A tensor that names its storage; the container (nn/torch_file.h) finds the bytes.
struct PickleTensor {
  DType dtype = DType::kF32;
  std::string storage_key;
  std::int64_t storage_elements = 0;
  std::int64_t offset = 0;  // in elements
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
};

struct PickleValue {
  enum class Kind {
    kNone,
    kBool,
    kInt,
    kBigInt,  // more than 64 bits: `text` holds it in two's complement, little-endian
    kFloat,
    kString,
    kBytes,
    kList,  // also sets
    kTuple,
    kDict,
    kTensor,
    kStorage,  // a tensor's storage alone
    kGlobal,   // an allowed class or function, `text` is its name; never executed
    kObject,   // attributes of an instance of the class `text`
  };

  Kind kind = Kind::kNone;
  std::int64_t integer = 0;  // kBool, kInt; kGlobal: its row in the allow-list
  double number = 0;         // kFloat
  std::string text;
  // kList, kTuple: the items. kDict, kObject: key, value, key, value, …
  std::vector<const PickleValue*> items;
  std::unique_ptr<PickleTensor> tensor;  // kTensor, kStorage

  // The value of a string key of a dictionary or object; nullptr when absent or no dictionary.
  // The last one wins, as in Python.
  const PickleValue* Find(std::string_view key) const;
  // Follows dictionary keys: At({"config", "model", "hidden_dim"}).
  const PickleValue* At(std::initializer_list<std::string_view> path) const;
  std::optional<std::int64_t> AsInt() const;  // also of true and false
  std::optional<double> AsNumber() const;     // integers too
  std::optional<std::string_view> AsString() const;
};

// Owns values; addresses stay the same when the tree moves.
class PickleTree {
 public:
  PickleValue* Add(PickleValue::Kind kind);
  const PickleValue* root() const { return root_; }
  void set_root(const PickleValue* root) { root_ = root; }
  const std::deque<PickleValue>& values() const { return values_; }

 private:
  std::deque<PickleValue> values_;
  const PickleValue* root_ = nullptr;
};

}  // namespace timbre::nn
