// What the layers share of oneDNN: engine, streams, scratchpads, packed weights. Internal to the
// room; the only header that includes dnnl.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

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

// A layer's weights in the layouts that its primitives ask for. oneDNN's wish depends on the row
// count (blocks of 16, 24 or 32 outputs), and with another layout than the wished one it may fall
// back to an implementation that is a thousand times slower. Thread-safe.
class PackedWeights {
 public:
  // The weights in their plain layout, f32 or int8. f32 ones are let go when first packed; int8
  // ones stay, as their packed forms carry sums that cannot be repacked.
  void Keep(dnnl::memory plain) { source_ = std::move(plain); }
  // Reordered, and converted where the types differ, to `layout`.
  dnnl::memory In(const dnnl::memory::desc& layout);

 private:
  std::mutex mutex_;
  dnnl::memory source_;
  std::vector<dnnl::memory> packed_;
};

}  // namespace timbre::nn
