// What a layer keeps per number of rows (a compiled primitive), bounded: buckets of row counts and
// a cache that lets the least recently used go. Internal to the room.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace timbre::nn {

// Row counts are rounded up to eight steps per octave (at most an eighth too many; 7 * 2^n is
// itself), so that streams with chunks of all sizes need few primitives.
std::int64_t RowBucket(std::int64_t rows);

// Thread-safe. An entry that goes while in use lives on with its user.
template <typename Value>
class RowsCache {
 public:
  static constexpr std::size_t kMaxEntries = 32;

  // The entry for (rows, threads), made by make() when it is not there.
  template <typename Make>
  std::shared_ptr<const Value> Get(std::int64_t rows, int threads, const Make& make) {
    const std::int64_t key = rows * kMaxThreads + threads;
    std::lock_guard lock(mutex_);
    if (const auto found = index_.find(key); found != index_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return entries_.front().second;
    }
    entries_.emplace_front(key, std::make_shared<const Value>(make()));
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
  static constexpr std::int64_t kMaxThreads = 4096;
  using Entry = std::pair<std::int64_t, std::shared_ptr<const Value>>;

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::int64_t, typename std::list<Entry>::iterator> index_;
};

}  // namespace timbre::nn
