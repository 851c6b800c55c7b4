#include "nn/pickle_globals.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace timbre::nn {
namespace {

using Kind = PickleValue::Kind;

enum class Action {
  kDict,      // collections.OrderedDict, defaultdict, dict
  kList,      // set, frozenset, list
  kTuple,     // torch.Size, tuple
  kFirst,     // torch.device("cpu"), _rebuild_parameter(data, …), int, float, str: their argument
  kTensorV1,  // _rebuild_tensor(storage, offset, size, stride)
  kTensorV2,  // … and requires_grad, hooks, metadata
  kTensorTyped,  // _rebuild_from_type_v2(function, type, args, state)
  kStorageType,  // torch.FloatStorage, …
  kNumpyScalar,  // scalar(dtype, bytes)
  kNumpyDtype,
  kNumpyArray,  // _reconstruct(class, shape, type): its contents are not read
  kEncode,      // _codecs.encode(text, "latin1"): how protocol 2 writes bytes
  kInstance,    // copyreg._reconstructor(class, base, state)
  kBag,         // a class whose attributes we keep
  kConstant,    // torch.float32 and classes that are only named
};

struct GlobalRow {
  std::string_view module;
  std::string_view name;
  Action action;
  DType type = DType::kF32;
};

constexpr GlobalRow kGlobals[] = {
    {"", "", Action::kBag},  // row 0: classes in kBagClasses
    {"collections", "OrderedDict", Action::kDict},
    {"collections", "defaultdict", Action::kDict},
    {"builtins", "dict", Action::kDict},
    {"__builtin__", "dict", Action::kDict},
    {"builtins", "set", Action::kList},
    {"__builtin__", "set", Action::kList},
    {"builtins", "frozenset", Action::kList},
    {"__builtin__", "frozenset", Action::kList},
    {"builtins", "list", Action::kList},
    {"__builtin__", "list", Action::kList},
    {"builtins", "tuple", Action::kTuple},
    {"__builtin__", "tuple", Action::kTuple},
    {"builtins", "int", Action::kFirst},
    {"builtins", "float", Action::kFirst},
    {"builtins", "str", Action::kFirst},
    {"builtins", "object", Action::kConstant},
    {"__builtin__", "object", Action::kConstant},
    {"torch", "Size", Action::kTuple},
    {"torch", "device", Action::kFirst},
    {"torch._utils", "_rebuild_tensor", Action::kTensorV1},
    {"torch._utils", "_rebuild_tensor_v2", Action::kTensorV2},
    {"torch._utils", "_rebuild_parameter", Action::kFirst},
    {"torch._utils", "_rebuild_parameter_with_state", Action::kFirst},
    {"torch._tensor", "_rebuild_from_type_v2", Action::kTensorTyped},
    {"torch", "Tensor", Action::kConstant},
    {"torch.nn.parameter", "Parameter", Action::kConstant},
    {"torch", "DoubleStorage", Action::kStorageType, DType::kF64},
    {"torch", "FloatStorage", Action::kStorageType, DType::kF32},
    {"torch", "HalfStorage", Action::kStorageType, DType::kF16},
    {"torch", "BFloat16Storage", Action::kStorageType, DType::kBF16},
    {"torch", "LongStorage", Action::kStorageType, DType::kI64},
    {"torch", "IntStorage", Action::kStorageType, DType::kI32},
    {"torch", "ShortStorage", Action::kStorageType, DType::kI16},
    {"torch", "CharStorage", Action::kStorageType, DType::kI8},
    {"torch", "ByteStorage", Action::kStorageType, DType::kU8},
    {"torch", "BoolStorage", Action::kStorageType, DType::kBool},
    {"torch", "float64", Action::kConstant},
    {"torch", "float32", Action::kConstant},
    {"torch", "float16", Action::kConstant},
    {"torch", "bfloat16", Action::kConstant},
    {"torch", "int64", Action::kConstant},
    {"torch", "int32", Action::kConstant},
    {"numpy.core.multiarray", "scalar", Action::kNumpyScalar},
    {"numpy._core.multiarray", "scalar", Action::kNumpyScalar},
    {"numpy", "dtype", Action::kNumpyDtype},
    {"numpy", "ndarray", Action::kConstant},
    {"numpy.core.multiarray", "_reconstruct", Action::kNumpyArray},
    {"numpy._core.multiarray", "_reconstruct", Action::kNumpyArray},
    {"_codecs", "encode", Action::kEncode},
    {"copyreg", "_reconstructor", Action::kInstance},
    {"copy_reg", "_reconstructor", Action::kInstance},
};

// Configuration objects of old training code: only their attributes are kept. The module varies
// with the project's layout and does not matter, since nothing is imported.
constexpr std::string_view kBagClasses[] = {"HParams", "AttrDict", "Namespace"};

std::unexpected<Error> BadArguments(const PickleValue& global) {
  return Fail(ErrorCode::kCorrupt, "pickle_corrupt",
              "the pickle is damaged: {} has the wrong arguments", PrintableName(global.text));
}

const GlobalRow& RowOf(const PickleValue& global) {
  return kGlobals[static_cast<std::size_t>(global.integer)];
}

bool IsGlobal(const PickleValue* value, Action action) {
  return value->kind == Kind::kGlobal && RowOf(*value).action == action;
}

std::optional<std::vector<std::int64_t>> Integers(const PickleValue* tuple) {
  constexpr std::size_t kMaxDimensions = 64;
  if ((tuple->kind != Kind::kTuple && tuple->kind != Kind::kList) ||
      tuple->items.size() > kMaxDimensions)
    return std::nullopt;
  std::vector<std::int64_t> numbers;
  numbers.reserve(tuple->items.size());
  for (const PickleValue* item : tuple->items) {
    if (item->kind != Kind::kInt) return std::nullopt;
    numbers.push_back(item->integer);
  }
  return numbers;
}

Result<const PickleValue*> MakeTensor(const PickleValue& global, const PickleValue& args,
                                      PickleTree& tree) {
  const std::size_t wanted = RowOf(global).action == Action::kTensorV1 ? 4 : 6;
  if (args.items.size() < wanted) return BadArguments(global);
  const PickleValue* storage = args.items[0];
  const auto shape = Integers(args.items[2]);
  const auto strides = Integers(args.items[3]);
  if (storage->kind != Kind::kStorage || args.items[1]->kind != Kind::kInt || !shape || !strides)
    return BadArguments(global);
  PickleValue* value = tree.Add(Kind::kTensor);
  value->tensor = std::make_unique<PickleTensor>(*storage->tensor);
  PickleTensor& tensor = *value->tensor;
  tensor.shape = *shape;
  tensor.strides = *strides;
  if (__builtin_add_overflow(tensor.offset, args.items[1]->integer, &tensor.offset))
    return BadArguments(global);
  return value;
}

Result<const PickleValue*> MakeDict(const PickleValue& global, const PickleValue& args,
                                    PickleTree& tree) {
  PickleValue* dict = tree.Add(Kind::kDict);
  // defaultdict(factory) and dict(): nothing to copy; OrderedDict([(key, value), …]) is old.
  for (const PickleValue* argument : args.items) {
    if (argument->kind == Kind::kDict) {
      dict->items = argument->items;
    } else if (argument->kind == Kind::kList || argument->kind == Kind::kTuple) {
      for (const PickleValue* pair : argument->items) {
        if ((pair->kind != Kind::kList && pair->kind != Kind::kTuple) || pair->items.size() != 2)
          return BadArguments(global);
        dict->items.insert(dict->items.end(), pair->items.begin(), pair->items.end());
      }
    }
  }
  return dict;
}

template <typename T>
T LoadNumber(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

// numpy's scalar(dtype, bytes), of the types that training code stores by accident.
Result<const PickleValue*> MakeNumpyScalar(const PickleValue& global, const PickleValue& args,
                                           PickleTree& tree) {
  if (args.items.size() != 2 || args.items[1]->kind != Kind::kBytes) return BadArguments(global);
  const PickleValue* name = args.items[0]->Find("name");
  if (!name || name->kind != Kind::kString) return BadArguments(global);
  const std::string_view type = name->text, bytes = args.items[1]->text;
  if (type == "f8" && bytes.size() == 8) {
    PickleValue* value = tree.Add(Kind::kFloat);
    value->number = LoadNumber<double>(bytes);
    return value;
  }
  if (type == "f4" && bytes.size() == 4) {
    PickleValue* value = tree.Add(Kind::kFloat);
    value->number = LoadNumber<float>(bytes);
    return value;
  }
  if ((type == "i8" || type == "u8") && bytes.size() == 8) {
    PickleValue* value = tree.Add(Kind::kInt);
    value->integer = LoadNumber<std::int64_t>(bytes);
    return value;
  }
  if (type == "i4" && bytes.size() == 4) {
    PickleValue* value = tree.Add(Kind::kInt);
    value->integer = LoadNumber<std::int32_t>(bytes);
    return value;
  }
  if (type == "b1" && bytes.size() == 1) {
    PickleValue* value = tree.Add(Kind::kBool);
    value->integer = bytes[0] != 0;
    return value;
  }
  return Fail(ErrorCode::kUnsupported, "pickle_unsupported",
              "the file holds a numpy number of type {}, which is not read", PrintableName(type));
}

Result<const PickleValue*> MakeObject(std::string_view class_name, const PickleValue* name,
                                      PickleTree& tree) {
  PickleValue* object = tree.Add(Kind::kObject);
  object->text = class_name;
  if (name) {
    PickleValue* key = tree.Add(Kind::kString);
    key->text = "name";
    object->items = {key, name};
  }
  return object;
}

// A Python string of characters below 256 as bytes.
Result<const PickleValue*> MakeBytes(const PickleValue& global, const PickleValue& args,
                                     PickleTree& tree) {
  if (args.items.empty() || args.items[0]->kind != Kind::kString) return BadArguments(global);
  const std::string& text = args.items[0]->text;
  PickleValue* value = tree.Add(Kind::kBytes);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      value->text += text[i];
    } else if ((byte & 0xfe) == 0xc2 && i + 1 < text.size()) {
      value->text += static_cast<char>((byte << 6) | (text[++i] & 0x3f));
    } else {
      return BadArguments(global);
    }
  }
  return value;
}

}  // namespace

std::optional<std::int64_t> FindPickleGlobal(std::string_view module, std::string_view name) {
  constexpr std::size_t kMaxModule = 256;
  if (module.size() > kMaxModule) return std::nullopt;
  for (std::size_t i = 1; i < std::size(kGlobals); ++i)
    if (kGlobals[i].module == module && kGlobals[i].name == name)
      return static_cast<std::int64_t>(i);
  if (std::ranges::find(kBagClasses, name) != std::end(kBagClasses)) return 0;
  return std::nullopt;
}

Result<const PickleValue*> CallPickleGlobal(const PickleValue& global, const PickleValue& args,
                                            PickleTree& tree) {
  const auto& items = args.items;
  switch (RowOf(global).action) {
    case Action::kDict:
      return MakeDict(global, args, tree);
    case Action::kList:
    case Action::kTuple: {
      if (items.size() > 1) return BadArguments(global);
      PickleValue* value =
          tree.Add(RowOf(global).action == Action::kTuple ? Kind::kTuple : Kind::kList);
      if (items.empty()) return value;
      if (items[0]->kind != Kind::kList && items[0]->kind != Kind::kTuple)
        return BadArguments(global);
      value->items = items[0]->items;
      return value;
    }
    case Action::kFirst:
      if (items.empty()) return BadArguments(global);
      return items[0];
    case Action::kTensorV1:
    case Action::kTensorV2:
      return MakeTensor(global, args, tree);
    case Action::kTensorTyped:
      if (items.size() < 3 || items[2]->kind != Kind::kTuple ||
          !(IsGlobal(items[0], Action::kTensorV2) || IsGlobal(items[0], Action::kTensorV1)))
        return BadArguments(global);
      return MakeTensor(*items[0], *items[2], tree);
    case Action::kNumpyScalar:
      return MakeNumpyScalar(global, args, tree);
    case Action::kNumpyDtype:
      if (items.empty() || items[0]->kind != Kind::kString) return BadArguments(global);
      return MakeObject("numpy.dtype", items[0], tree);
    case Action::kNumpyArray:
      return MakeObject("numpy.ndarray", nullptr, tree);
    case Action::kEncode:
      return MakeBytes(global, args, tree);
    case Action::kInstance:
      if (items.empty() || !IsGlobal(items[0], Action::kBag)) return BadArguments(global);
      return MakeObject(items[0]->text, nullptr, tree);
    case Action::kBag:
      return MakeObject(global.text, nullptr, tree);
    case Action::kStorageType:
    case Action::kConstant:
      break;
  }
  return BadArguments(global);
}

Result<const PickleValue*> MakePickleStorage(const PickleValue& id, PickleTree& tree) {
  const auto corrupt = [] {
    return Fail(ErrorCode::kCorrupt, "pickle_corrupt",
                "the pickle is damaged: it names a tensor storage wrongly");
  };
  const auto& items = id.items;
  if (id.kind != Kind::kTuple || items.empty() || items[0]->kind != Kind::kString) return corrupt();
  if (items[0]->text != "storage")
    return Fail(ErrorCode::kUnsupported, "pickle_unsupported",
                "the file holds Python code (a whole module), not only weights; it is not read");
  constexpr std::size_t kMaxKey = 256;
  if (items.size() < 5 || !IsGlobal(items[1], Action::kStorageType) ||
      items[2]->kind != Kind::kString || items[2]->text.size() > kMaxKey ||
      items[4]->kind != Kind::kInt || items[4]->integer < 0)
    return corrupt();
  PickleValue* storage = tree.Add(Kind::kStorage);
  storage->tensor = std::make_unique<PickleTensor>();
  storage->tensor->dtype = RowOf(*items[1]).type;
  storage->tensor->storage_key = items[2]->text;
  storage->tensor->storage_elements = items[4]->integer;
  // Old files name a part of a storage as (key, offset, elements).
  if (items.size() > 5 && items[5]->kind != Kind::kNone) {
    const auto& view = items[5]->items;
    if (items[5]->kind != Kind::kTuple || view.size() != 3 || view[1]->kind != Kind::kInt)
      return corrupt();
    storage->tensor->offset = view[1]->integer;
  }
  return storage;
}

std::string PrintableName(std::string_view name) {
  constexpr std::size_t kMax = 120;
  std::string printable(name.substr(0, kMax));
  for (char& c : printable)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  if (name.size() > kMax) printable += "…";
  return printable;
}

}  // namespace timbre::nn
