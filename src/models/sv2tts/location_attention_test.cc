#include "models/sv2tts/location_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "nn/random.h"

namespace timbre::models {
namespace {

constexpr std::int64_t kAttention = 8, kWidth = 6;

nn::Weight RandomWeight(std::vector<std::int64_t> shape, nn::Random& random, float scale) {
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) size *= dim;
  nn::Weight weight{std::move(shape), std::vector<float>(static_cast<std::size_t>(size))};
  for (float& value : weight.values) value = scale * random.Normal();
  return weight;
}

LocationAttention Make(std::int64_t channels, std::int64_t window) {
  nn::Random random(7);
  return LocationAttention({.conv = RandomWeight({4, channels, 31}, random, 0.2F),
                            .conv_bias = RandomWeight({4}, random, 0.1F),
                            .dense = RandomWeight({kAttention, 4}, random, 0.5F),
                            .v = RandomWeight({1, kAttention}, random, 1.0F),
                            .window = window});
}

LocationAttention::Memory MakeMemory(std::int64_t positions) {
  nn::Random random(3);
  LocationAttention::Memory memory{.values = nn::Tensor(positions, kWidth),
                                   .keys = nn::Tensor(positions, kAttention)};
  for (std::int64_t i = 0; i < memory.values.size(); ++i) memory.values.data()[i] = random.Normal();
  for (std::int64_t i = 0; i < memory.keys.size(); ++i) memory.keys.data()[i] = random.Normal();
  return memory;
}

std::vector<float> Query(int step) {
  nn::Random random(100, static_cast<std::uint64_t>(step));
  std::vector<float> query(kAttention);
  for (float& value : query) value = random.Normal();
  return query;
}

TEST(LocationAttention, WindowedIsFullAttentionBitForBitUpTo128) {
  for (const std::int64_t channels : {1, 2}) {
    const LocationAttention windowed = Make(channels, LocationAttention::kWindow);
    const LocationAttention full = Make(channels, 0);
    for (const std::int64_t positions : {1, 2, 64, 65, 127, 128}) {
      const auto memory = MakeMemory(positions);
      auto a = windowed.Start(memory), b = full.Start(memory);
      std::vector<float> context_a(kWidth), context_b(kWidth);
      for (int step = 0; step < 20; ++step) {
        windowed.Step(Query(step), memory, a, context_a);
        full.Step(Query(step), memory, b, context_b);
        ASSERT_EQ(a.weights, b.weights);
        ASSERT_EQ(a.cumulative, b.cumulative);
        ASSERT_EQ(context_a, context_b);
      }
    }
  }
}

// Against the equations, written plainly.
TEST(LocationAttention, EqualsItsDefinition) {
  nn::Random random(7);
  const nn::Weight conv = RandomWeight({4, 2, 31}, random, 0.2F);
  const nn::Weight bias = RandomWeight({4}, random, 0.1F);
  const nn::Weight dense = RandomWeight({kAttention, 4}, random, 0.5F);
  const nn::Weight v = RandomWeight({1, kAttention}, random, 1.0F);
  const LocationAttention attention({.conv = conv, .conv_bias = bias, .dense = dense, .v = v});
  const std::int64_t positions = 20;
  auto memory = MakeMemory(positions);
  memory.ignored.assign(positions, false);
  memory.ignored[4] = true;
  auto state = attention.Start(memory);
  std::vector<float> context(kWidth);
  std::vector<double> last(positions, 0.0), sum(positions, 0.0);
  for (int step = 0; step < 5; ++step) {
    const std::vector<float> query = Query(step);
    std::vector<double> weights(positions);
    double total = 0.0;
    for (std::int64_t i = 0; i < positions; ++i) {
      double energy = 0.0;
      for (std::int64_t a = 0; a < kAttention; ++a) {
        double inner = query[a] + memory.keys.at(i, a);
        for (std::int64_t f = 0; f < 4; ++f) {
          double feature = bias.values[f];
          for (std::int64_t k = 0; k < 31; ++k) {
            const std::int64_t at = i + k - 15;
            if (at < 0 || at >= positions) continue;
            feature += conv.values[(f * 2 + 0) * 31 + k] * last[at];
            feature += conv.values[(f * 2 + 1) * 31 + k] * sum[at];
          }
          inner += dense.values[a * 4 + f] * feature;
        }
        energy += v.values[a] * std::tanh(inner);
      }
      weights[i] = std::exp(memory.ignored[i] ? 0.0 : energy);
      total += weights[i];
    }
    attention.Step(query, memory, state, context);
    std::vector<double> expected(kWidth, 0.0);
    for (std::int64_t i = 0; i < positions; ++i) {
      weights[i] /= total;
      sum[i] += weights[i];
      for (std::int64_t w = 0; w < kWidth; ++w) expected[w] += weights[i] * memory.values.at(i, w);
      EXPECT_NEAR(state.weights[i], weights[i], 1e-5);
    }
    for (std::int64_t w = 0; w < kWidth; ++w) EXPECT_NEAR(context[w], expected[w], 1e-5);
    last = weights;
  }
}

// Attention that looks where the query says: keys are one-hot in a band of two numbers.
struct Pointer {
  // Energies peak at the position whose angle the query has.
  static LocationAttention Make() {
    nn::Weight conv{{1, 1, 31}, std::vector<float>(31, 0.0F)};
    nn::Weight dense{{1, 1}, {0.0F}};
    nn::Weight v{{1, 1}, {50.0F}};
    return LocationAttention(
        {.conv = std::move(conv), .dense = std::move(dense), .v = std::move(v)});
  }
  // Keys -1 everywhere but at `target`, where 1.
  static void LookAt(std::int64_t target, LocationAttention::Memory& memory) {
    memory.keys.Fill(-1.0F);
    memory.keys.at(target, 0) = 1.0F;
  }
};

TEST(LocationAttention, LongTextsMoveForwardThreeAtMostAndAnchorAnewAfterAStall) {
  const std::int64_t positions = 300;
  const LocationAttention attention = Pointer::Make();
  LocationAttention::Memory memory{.values = nn::Tensor(positions, 1),
                                   .keys = nn::Tensor(positions, 1)};
  auto state = attention.Start(memory);
  const std::vector<float> query = {0.0F};
  std::vector<float> context(1);
  const auto step = [&](std::int64_t target) {
    Pointer::LookAt(target, memory);
    attention.Step(query, memory, state, context);
    return state.position;
  };
  // A jump ahead within the window is followed three positions a step.
  for (int i = 1; i <= 10; ++i) EXPECT_EQ(step(60), 3 * i);
  for (int i = 0; i < 20; ++i) step(60);
  EXPECT_EQ(state.position, 60);
  // What lies beyond the window cannot be seen.
  step(200);
  EXPECT_EQ(state.weights[200], 0.0F);
  // It never turns back, until it has stalled for 40 steps.
  for (int i = 0; i < 20; ++i) step(63);
  EXPECT_EQ(state.position, 63);
  int steps = 0;
  while (step(50) == 63 && steps < 100) ++steps;
  EXPECT_EQ(state.position, 50);
  EXPECT_GE(steps, 15);
  EXPECT_LE(steps, LocationAttention::kStallLimit);
}

TEST(LocationAttention, CountsStepsAtTheLastPosition) {
  const LocationAttention attention = Pointer::Make();
  LocationAttention::Memory memory{.values = nn::Tensor(5, 1), .keys = nn::Tensor(5, 1)};
  auto state = attention.Start(memory);
  std::vector<float> context(1);
  const std::vector<float> query = {0.0F};
  for (const auto& [target, rested] :
       {std::pair{2, 0}, std::pair{4, 1}, std::pair{4, 2}, std::pair{1, 0}, std::pair{4, 1}}) {
    Pointer::LookAt(target, memory);
    attention.Step(query, memory, state, context);
    EXPECT_EQ(state.rested, rested);
  }
}

}  // namespace
}  // namespace timbre::models
