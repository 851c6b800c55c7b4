#include "nn/random.h"

#include <cmath>
#include <numbers>

namespace timbre::nn {
namespace {

// The constants of Philox 4x32: two multipliers, two Weyl increments for the key.
constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

void Random::Refill() {
  std::array<std::uint32_t, 4> c = {
      static_cast<std::uint32_t>(position_), static_cast<std::uint32_t>(position_ >> 32),
      static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)};
  std::uint32_t k0 = static_cast<std::uint32_t>(seed_);
  std::uint32_t k1 = static_cast<std::uint32_t>(seed_ >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{kMultiplier0} * c[0];
    const std::uint64_t p1 = std::uint64_t{kMultiplier1} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  block_ = c;
  used_ = 0;
  ++position_;
}

std::uint32_t Random::Next() {
  if (used_ == 4) Refill();
  return block_[static_cast<std::size_t>(used_++)];
}

float Random::Uniform() { return static_cast<float>(Next() >> 8) * 0x1p-24f; }

float Random::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const float radius = std::sqrt(-2.0f * std::log(1.0f - Uniform()));  // 1 - u is never 0
  const float angle = 2.0f * std::numbers::pi_v<float> * Uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

void Random::FillUniform(std::span<float> x) {
  for (float& value : x) value = Uniform();
}

void Random::FillNormal(std::span<float> x) {
  for (float& value : x) value = Normal();
}

void Random::FillDropout(float p, std::span<float> x) {
  for (float& value : x) value = Uniform() < p ? 0.0f : 1.0f / (1.0f - p);
}

void Random::Seek(std::uint64_t position) {
  position_ = position;
  used_ = 4;
  has_spare_ = false;
}

}  // namespace timbre::nn
