// What int8 layers share about the range of their inputs. Internal to the room.
#pragma once

#include <cstdint>
#include <string>

namespace timbre::nn {

// Notes the range of x under `name` when this thread records.
void RecordInput(const std::string& name, const float* x, std::int64_t n);

// The scale by which int8 inputs are divided: from the layer's known range, or else x's own.
float InputScale(float known_range, const float* x, std::int64_t n);

}  // namespace timbre::nn
