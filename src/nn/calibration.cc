#include "nn/calibration.h"

#include <algorithm>

#include "nn/layer_input.h"
#include "nn/vector_math.h"

namespace timbre::nn {
namespace {

thread_local ActivationRanges* recording = nullptr;

}  // namespace

void ActivationRanges::Raise(std::string_view layer, float max_abs) {
  const auto found = ranges_.find(layer);
  if (found == ranges_.end()) {
    ranges_.emplace(layer, max_abs);
  } else {
    found->second = std::max(found->second, max_abs);
  }
}

float ActivationRanges::Find(std::string_view layer) const {
  const auto found = ranges_.find(layer);
  return found == ranges_.end() ? 0.0f : found->second;
}

RecordRanges::RecordRanges(ActivationRanges& ranges) : outer_(recording) { recording = &ranges; }

RecordRanges::~RecordRanges() { recording = outer_; }

void RecordInput(const std::string& name, const float* x, std::int64_t n) {
  if (recording != nullptr && !name.empty()) recording->Raise(name, MaxAbsOf(x, n));
}

float InputScale(float known_range, const float* x, std::int64_t n) {
  const float range = known_range > 0.0f ? known_range : MaxAbsOf(x, n);
  return range > 0.0f ? range / 127.0f : 1.0f;
}

}  // namespace timbre::nn
