// What the layers share of oneDNN: engine, streams, scratchpads, packed weights, and a bounded
// cache of primitives by row count. Internal to the room; the only header that includes dnnl.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "nn/precision.h"

namespace timbre::nn {

const dnnl::engine& Engine();
dnnl::stream& ThreadStream();  // this thread's

// Row counts are rounded up to eight steps per octave (at most an eighth too many; 7 * 2^n is
// itself), so that streams with chunks of all sizes need few primitives.
std::int64_t RowBucket(std::int64_t rows);

// This thread's grow-only memory, 64-byte aligned; one area per purpose.
enum class ThreadArea { kScratchpad, kInput, kStaging, kCount };
void* ThreadMemory(ThreadArea area, std::size_t bytes);

// A primitive made for one row count, its weights as it wants them.
struct RowsPrimitive {
  dnnl::primitive primitive;
  dnnl::memory::desc source, destination, scratchpad;
  dnnl::memory weights;
};

// Least recently used primitives go first. Thread-safe.
class PrimitiveCache {
 public:
  static constexpr std::size_t kMaxEntries = 32;

  // The entry for (rows, threads), made by make() when it is not there.
  template <typename Make>
  std::shared_ptr<const RowsPrimitive> Get(std::int64_t rows, int threads, const Make& make) {
    const std::int64_t key = rows * 1024 + threads;
    std::lock_guard lock(mutex_);
    if (const auto found = index_.find(key); found != index_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return entries_.front().second;
    }
    entries_.emplace_front(key, std::make_shared<const RowsPrimitive>(make()));
    index_[key] = entries_.begin();
    if (entries_.size() > kMaxEntries) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
    return entries_.front().second;
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  using Entry = std::pair<std::int64_t, std::shared_ptr<const RowsPrimitive>>;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::int64_t, std::list<Entry>::iterator> index_;
};

// Makes this thread's OpenMP agree with its ThreadBudget, and returns that.
int ApplyThreadBudget();

// The eltwise post-op for `activation`, if any.
void AppendActivation(Activation activation, float slope, dnnl::post_ops& ops);

// `plain` reordered, and converted where the types differ, to `wanted`.
dnnl::memory PackWeights(const dnnl::memory& plain, const dnnl::memory::desc& wanted);

}  // namespace timbre::nn
