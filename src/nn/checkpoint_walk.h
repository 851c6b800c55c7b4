// Finds the tensors in a tree of pickled values.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "nn/checkpoint.h"

namespace timbre::nn {

// Every tensor below the tree's root by its path, with its bytes; optimizers' are left out.
Result<Checkpoint::TensorMap> WalkTensors(TorchFile& file, const CheckpointLimits& limits);

}  // namespace timbre::nn
