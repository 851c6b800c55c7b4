// Weights of any size without a checkpoint on disk: the golden data's recipe for random weights
// (tests/golden/sv2tts/README.md). Each tensor is drawn from NumPy's legacy RandomState seeded by
// the CRC-32 of its name, so the arrays equal those the official modules were run with.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "nn/weights.h"

namespace timbre::testing {

// The first `count` values of numpy.random.RandomState(seed).standard_normal().
std::vector<double> LegacyStandardNormal(std::uint32_t seed, std::int64_t count);

// numpy.random.RandomState(seed).random_sample(count).
std::vector<double> LegacyUniform(std::uint32_t seed, std::int64_t count);

// CRC-32 (the one of zip) of a string.
std::uint32_t Crc32(std::string_view text);

// What the README's overrides change. kPlain is the bare recipe.
enum class RecipeFamily { kPlain, kRtvc, kNvidiaTacotron2, kWaveRnn, kHifigan };

// Reading is const and may happen from several threads; tensors are made anew by each Read.
class RecipeWeights : public nn::WeightSource {
 public:
  RecipeWeights() = default;
  explicit RecipeWeights(RecipeFamily family) : family_(family) {}

  // Every tensor of a NAME.shapes.json ({"shapes": {key: [shape, dtype]}}).
  static Result<RecipeWeights> FromShapes(const std::string& path, RecipeFamily family);

  // Adds a tensor or changes its shape; its values follow the recipe for the new shape.
  void SetShape(std::string_view name, std::vector<std::int64_t> shape);
  // Gives a tensor these values (its shape must have been set and agree in size).
  void SetValues(std::string_view name, std::vector<float> values);
  void Remove(std::string_view name);
  // The same tensors under other names: Renamed(f) has f(name) for each name; values stay.
  RecipeWeights Renamed(const std::function<std::string(const std::string&)>& rename) const;

  std::vector<std::string> Names() const override;
  std::optional<std::vector<std::int64_t>> Shape(std::string_view name) const override;
  Result<nn::Weight> Read(std::string_view name) const override;

 private:
  struct Entry {
    std::vector<std::int64_t> shape;
    std::string seed_name;  // the name the recipe draws by
    bool integer = false;
    std::optional<std::vector<float>> values;
  };
  std::map<std::string, Entry, std::less<>> entries_;
  RecipeFamily family_ = RecipeFamily::kPlain;
};

}  // namespace timbre::testing
