// Seeded random numbers that depend on (seed, stream, position) only: one generator per utterance
// gives the same numbers whoever else is served meanwhile, on every machine.
// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace timbre::nn {

// A value type, not thread-safe: copy it or take another stream.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint32_t Next();  // 32 random bits
  float Uniform();       // [0, 1), multiples of 2^-24
  float Normal();        // mean 0, variance 1 (Box-Muller)
  bool Bernoulli(float p) { return Uniform() < p; }
  void FillUniform(std::span<float> x);
  void FillNormal(std::span<float> x);
  // A dropout mask: 1/(1-p) with probability 1-p, else 0.
  void FillDropout(float p, std::span<float> x);

  // Goes to block `position` (each gives four numbers): noise addressed by absolute frame.
  void Seek(std::uint64_t position);

 private:
  void Refill();

  std::uint64_t seed_, stream_, position_ = 0;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
  float spare_ = 0.0f;  // the second normal of a pair
  bool has_spare_ = false;
};

}  // namespace timbre::nn
