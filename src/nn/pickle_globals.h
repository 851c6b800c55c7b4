// The only names that a pickle may mention, and what we build where Python would call them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "nn/pickle_value.h"

namespace timbre::nn {

// The row of an allowed name, for PickleValue::integer; nothing when the name is forbidden.
std::optional<std::int64_t> FindPickleGlobal(std::string_view module, std::string_view name);

// What `global(*args)` gives, built in `tree`. Errors: pickle_corrupt, pickle_unsupported.
Result<const PickleValue*> CallPickleGlobal(const PickleValue& global, const PickleValue& args,
                                            PickleTree& tree);

// A persistent id of PyTorch, ("storage", type, key, device, elements[, view]), as a kStorage.
Result<const PickleValue*> MakePickleStorage(const PickleValue& id, PickleTree& tree);

// Printable and short: what a file calls something, for a message.
std::string PrintableName(std::string_view name);

}  // namespace timbre::nn
