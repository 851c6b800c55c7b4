// Internal to the room.
#pragma once

namespace timbre::nn {

// x where positive, else slope * x, written without a branch and without a product that only one
// side needs, so that compilers vectorise it. Exact; 1 as the slope changes nothing.
inline __attribute__((always_inline)) float LeakyRelu(float x, float slope) {
  const float positive = x > 0.0f ? x : 0.0f;
  const float rest = x > 0.0f ? 0.0f : x;
  return positive + slope * rest;
}

}  // namespace timbre::nn
