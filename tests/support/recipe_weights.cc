#include "tests/support/recipe_weights.h"

#include <array>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

namespace timbre::testing {
namespace {

// MT19937 as std::mt19937, in 32-bit words and a block at a time: several times as fast, and an
// official-size checkpoint takes a hundred million of its numbers.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed) {
    for (std::uint32_t i = 0; i < kWords; ++i) {
      state_[i] = seed;
      seed = 1812433253U * (seed ^ (seed >> 30)) + i + 1;
    }
  }

  std::uint32_t Next() {
    if (next_ == kWords) Refill();
    return output_[next_++];
  }

 private:
  static constexpr std::uint32_t kWords = 624;
  static constexpr std::uint32_t kShift = 397;

  static std::uint32_t Mix(std::uint32_t high, std::uint32_t low) {
    return (((high & 0x80000000U) | (low & 0x7fffffffU)) >> 1) ^ ((0U - (low & 1U)) & 0x9908b0dfU);
  }

  void Refill() {
    std::uint32_t* x = state_.data();
    for (std::uint32_t i = 0; i < kWords - kShift; ++i) x[i] = x[i + kShift] ^ Mix(x[i], x[i + 1]);
    for (std::uint32_t i = kWords - kShift; i < kWords - 1; ++i) {
      x[i] = x[i + kShift - kWords] ^ Mix(x[i], x[i + 1]);
    }
    x[kWords - 1] = x[kShift - 1] ^ Mix(x[kWords - 1], x[0]);
    for (std::uint32_t i = 0; i < kWords; ++i) {
      std::uint32_t y = x[i];
      y ^= y >> 11;
      y ^= (y << 7) & 0x9d2c5680U;
      y ^= (y << 15) & 0xefc60000U;
      output_[i] = y ^ (y >> 18);
    }
    next_ = 0;
  }

  std::array<std::uint32_t, kWords> state_;
  std::array<std::uint32_t, kWords> output_;
  std::uint32_t next_ = kWords;
};

// RandomState's doubles and its Gaussian (the polar method, which hands out the second value of a
// pair first).
class LegacyRandomState {
 public:
  explicit LegacyRandomState(std::uint32_t seed) : engine_(seed) {}

  double Uniform() {
    const std::uint32_t high = engine_.Next() >> 5;
    const std::uint32_t low = engine_.Next() >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
  }

  double Normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x1, x2, r2;
    do {
      x1 = 2.0 * Uniform() - 1.0;
      x2 = 2.0 * Uniform() - 1.0;
      r2 = x1 * x1 + x2 * x2;
    } while (r2 >= 1.0 || r2 == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(r2) / r2);
    spare_ = factor * x1;
    has_spare_ = true;
    return factor * x2;
  }

 private:
  MersenneTwister engine_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A value is offset + scale * (x / divisor), or exp(scale * x).
struct Rule {
  double offset = 0.0;
  double scale = 1.0;
  double divisor = 1.0;
  bool exponential = false;
};

Rule BaseRule(std::string_view name, const std::vector<std::int64_t>& shape) {
  if (Contains(name, "running_mean")) return {0.0, 0.1};
  if (Contains(name, "running_var")) return {0.0, 0.2, 1.0, true};
  if (Contains(name, "weight_g")) return {1.0, 0.1};
  if (Contains(name, "weight_v")) return {0.0, 1.0};
  if (Contains(name, "embedding") && shape.size() == 2) return {0.0, 0.5};
  if (shape.size() >= 2) {
    double fan_in = 1.0;
    for (std::size_t i = 1; i < shape.size(); ++i) fan_in *= static_cast<double>(shape[i]);
    return {0.0, 1.0, std::sqrt(fan_in)};
  }
  if (Contains(name, "bias")) return {0.0, 0.1};
  if (shape.size() == 1 && Contains(name, "weight")) return {1.0, 0.1};
  return {0.0, 1.0};
}

Rule FamilyRule(RecipeFamily family, std::string_view name, Rule rule) {
  const auto scaled = [&rule](double factor) {
    return Rule{factor * rule.offset, factor * rule.scale, rule.divisor};
  };
  switch (family) {
    case RecipeFamily::kPlain:
      break;
    case RecipeFamily::kRtvc:
      if (Contains(name, "attn_net.v.weight")) return scaled(30.0);
      if (Contains(name, "stop_proj.bias")) return {-20.0, 0.0};
      break;
    case RecipeFamily::kNvidiaTacotron2:
      if (Contains(name, "attention_layer.v.linear_layer.weight")) return scaled(30.0);
      if (Contains(name, "gate_layer.linear_layer.bias")) return {-20.0, 0.0};
      break;
    case RecipeFamily::kWaveRnn:
      if (Contains(name, "fc3.weight")) return scaled(6.0);
      if (Contains(name, "up_layers.1.weight")) return {1.0 / 11.0, 0.02};
      if (Contains(name, "up_layers.3.weight")) return {1.0 / 11.0, 0.02};
      if (Contains(name, "up_layers.5.weight")) return {1.0 / 17.0, 0.02};
      break;
    case RecipeFamily::kHifigan:
      if (Contains(name, "conv_post.weight_g")) return scaled(0.2);
      break;
  }
  return rule;
}

// Buffers that torch initialises and the recipe leaves alone.
std::optional<float> DefaultBuffer(std::string_view name, bool integer) {
  if (name.ends_with("decoder.r")) return 2.0F;
  if (name.ends_with("stop_threshold")) return -3.4F;
  if (integer) return 0.0F;
  return std::nullopt;
}

std::int64_t Product(const std::vector<std::int64_t>& shape) {
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) size *= dim;
  return size;
}

}  // namespace

std::vector<double> LegacyStandardNormal(std::uint32_t seed, std::int64_t count) {
  LegacyRandomState random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = random.Normal();
  return values;
}

std::vector<double> LegacyUniform(std::uint32_t seed, std::int64_t count) {
  LegacyRandomState random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = random.Uniform();
  return values;
}

std::uint32_t Crc32(std::string_view text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320U & (0U - (crc & 1U)));
  }
  return ~crc;
}

Result<RecipeWeights> RecipeWeights::FromShapes(const std::string& path, RecipeFamily family) {
  std::ifstream file(path);
  if (!file) return Fail(ErrorCode::kNotFound, "shapes_not_found", "{} is missing", path);
  RecipeWeights weights(family);
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    for (const auto& [name, entry] : json.at("shapes").items()) {
      weights.SetShape(name, entry.at(0).get<std::vector<std::int64_t>>());
      weights.entries_.find(name)->second.integer =
          entry.at(1).get<std::string>().starts_with("int");
    }
  } catch (const nlohmann::json::exception& error) {
    return Fail(ErrorCode::kCorrupt, "shapes_unreadable", "{}: {}", path, error.what());
  }
  return weights;
}

void RecipeWeights::SetShape(std::string_view name, std::vector<std::int64_t> shape) {
  Entry& entry = entries_[std::string(name)];
  entry.shape = std::move(shape);
  entry.seed_name = name;
  entry.values.reset();
}

void RecipeWeights::SetValues(std::string_view name, std::vector<float> values) {
  entries_.find(name)->second.values = std::move(values);
}

void RecipeWeights::Remove(std::string_view name) {
  if (const auto found = entries_.find(name); found != entries_.end()) entries_.erase(found);
}

RecipeWeights RecipeWeights::Renamed(
    const std::function<std::string(const std::string&)>& rename) const {
  RecipeWeights renamed(family_);
  for (const auto& [name, entry] : entries_) renamed.entries_[rename(name)] = entry;
  return renamed;
}

std::vector<std::string> RecipeWeights::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::optional<std::vector<std::int64_t>> RecipeWeights::Shape(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  return found->second.shape;
}

Result<nn::Weight> RecipeWeights::Read(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    return Fail(ErrorCode::kNotFound, "tensor_missing", "there is no tensor {}", name);
  }
  const Entry& entry = found->second;
  const std::int64_t size = Product(entry.shape);
  if (entry.values) return nn::Weight{entry.shape, *entry.values};
  if (const auto value = DefaultBuffer(entry.seed_name, entry.integer)) {
    return nn::Weight{entry.shape, std::vector<float>(static_cast<std::size_t>(size), *value)};
  }
  const Rule rule = FamilyRule(family_, entry.seed_name, BaseRule(entry.seed_name, entry.shape));
  LegacyRandomState random(Crc32(entry.seed_name));
  nn::Weight weight{entry.shape, std::vector<float>(static_cast<std::size_t>(size))};
  for (float& value : weight.values) {
    const double x = random.Normal();
    value = static_cast<float>(rule.exponential ? std::exp(rule.scale * x)
                                                : rule.offset + rule.scale * (x / rule.divisor));
  }
  return weight;
}

}  // namespace timbre::testing
