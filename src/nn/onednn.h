// What the layers share of oneDNN: engine, streams, scratchpads, packed weights. Internal to the
// room; the only header that includes dnnl.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <cstddef>

#include "nn/precision.h"
#include "nn/rows_cache.h"

namespace timbre::nn {

const dnnl::engine& Engine();
dnnl::stream& ThreadStream();  // this thread's

// This thread's grow-only memory, 64-byte aligned; one area per purpose.
enum class ThreadArea { kScratchpad, kInput, kStaging, kCount };
void* ThreadMemory(ThreadArea area, std::size_t bytes);

// A primitive made for one row count, its weights as it wants them.
struct RowsPrimitive {
  dnnl::primitive primitive;
  dnnl::memory::desc source, destination, scratchpad;
  dnnl::memory weights;
};

using PrimitiveCache = RowsCache<RowsPrimitive>;

// Makes this thread's OpenMP agree with its ThreadBudget, and returns that.
int ApplyThreadBudget();

// The eltwise post-op for `activation`, if any.
void AppendActivation(Activation activation, float slope, dnnl::post_ops& ops);

// `plain` reordered, and converted where the types differ, to `wanted`.
dnnl::memory PackWeights(const dnnl::memory& plain, const dnnl::memory::desc& wanted);

}  // namespace timbre::nn
