#include "text/english/grapheme_net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/npy.h"

namespace timbre::text {
namespace {

constexpr std::size_t kUnits = 256;
constexpr std::size_t kLetters = 29;  // pad, unknown, end, a..z
constexpr std::size_t kPhones = 74;
constexpr int kUnknownLetter = 1;
constexpr int kEndLetter = 2;
constexpr int kStartPhone = 2;
constexpr int kEndPhone = 3;
constexpr int kMaxPhones = 20;
constexpr std::array<std::string_view, kPhones> kPhoneNames = {
    "<pad>", "<unk>", "<s>", "</s>", "AA0", "AA1", "AA2", "AE0", "AE1", "AE2", "AH0", "AH1", "AH2",
    "AO0",   "AO1",   "AO2", "AW0",  "AW1", "AW2", "AY0", "AY1", "AY2", "B",   "CH",  "D",   "DH",
    "EH0",   "EH1",   "EH2", "ER0",  "ER1", "ER2", "EY0", "EY1", "EY2", "F",   "G",   "HH",  "IH0",
    "IH1",   "IH2",   "IY0", "IY1",  "IY2", "JH",  "K",   "L",   "M",   "N",   "NG",  "OW0", "OW1",
    "OW2",   "OY0",   "OY1", "OY2",  "P",   "R",   "S",   "SH",  "T",   "TH",  "UH0", "UH1", "UH2",
    "UW",    "UW0",   "UW1", "UW2",  "V",   "W",   "Y",   "Z",   "ZH"};

using Arrays = std::map<std::string, NpyArray, std::less<>>;

Result<std::vector<float>> Take(const Arrays& arrays, std::string_view name,
                                const std::vector<std::int64_t>& shape) {
  const auto found = arrays.find(name);
  if (found == arrays.end() || found->second.shape != shape) {
    return Fail(ErrorCode::kCorrupt, "dictionary_broken",
                "The file of the net for unknown words lacks the array {} in its shape.", name);
  }
  return found->second.ToFloat();
}

float Dot(std::span<const float> a, std::span<const float> b) {
  // Eight sums side by side, which the compiler turns into vector instructions.
  std::array<float, 8> sums{};
  for (std::size_t i = 0; i < a.size(); i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0.0F;
  for (const float lane : sums) sum += lane;
  return sum;
}

std::span<const float> Row(const std::vector<float>& matrix, std::size_t row, std::size_t width) {
  return std::span<const float>(matrix).subspan(row * width, width);
}

float Sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

}  // namespace

Result<GraphemeNet> GraphemeNet::Load(const std::filesystem::path& path) {
  auto arrays = ReadNpz(path);
  if (!arrays) {
    const bool missing = arrays.error().code == ErrorCode::kNotFound;
    return Fail(missing ? ErrorCode::kNotFound : ErrorCode::kCorrupt,
                missing ? "dictionary_missing" : "dictionary_broken",
                "The net for unknown words {} cannot be read.", path.string());
  }
  const auto load_cell = [&](const std::string& side, std::size_t symbols) -> Result<Cell> {
    constexpr std::int64_t kGates = 3 * kUnits;
    const auto units = static_cast<std::int64_t>(kUnits);
    Cell cell;
    TIMBRE_ASSIGN(const std::vector<float> embedding,
                  Take(*arrays, side + "_emb", {static_cast<std::int64_t>(symbols), units}));
    TIMBRE_ASSIGN(const std::vector<float> weight, Take(*arrays, side + "_w_ih", {kGates, units}));
    TIMBRE_ASSIGN(const std::vector<float> bias, Take(*arrays, side + "_b_ih", {kGates}));
    TIMBRE_ASSIGN(cell.hidden_weight, Take(*arrays, side + "_w_hh", {kGates, units}));
    TIMBRE_ASSIGN(cell.hidden_bias, Take(*arrays, side + "_b_hh", {kGates}));
    cell.input_gates.resize(symbols * 3 * kUnits);
    for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
      for (std::size_t gate = 0; gate < 3 * kUnits; ++gate) {
        cell.input_gates[symbol * 3 * kUnits + gate] =
            bias[gate] + Dot(Row(weight, gate, kUnits), Row(embedding, symbol, kUnits));
      }
    }
    return cell;
  };
  GraphemeNet net;
  TIMBRE_ASSIGN(net.encoder_, load_cell("enc", kLetters));
  TIMBRE_ASSIGN(net.decoder_, load_cell("dec", kPhones));
  TIMBRE_ASSIGN(net.output_weight_, Take(*arrays, "fc_w", {kPhones, kUnits}));
  TIMBRE_ASSIGN(net.output_bias_, Take(*arrays, "fc_b", {kPhones}));
  return net;
}

// GRU with PyTorch's gate order r, z, n: n = tanh(x_n + r * h_n), h = (1 - z) n + z h.
void GraphemeNet::Step(const Cell& cell, int symbol, std::vector<float>* hidden) const {
  const auto input = Row(cell.input_gates, static_cast<std::size_t>(symbol), 3 * kUnits);
  std::array<float, 3 * kUnits> recurrent;
  for (std::size_t gate = 0; gate < recurrent.size(); ++gate) {
    recurrent[gate] = cell.hidden_bias[gate] + Dot(Row(cell.hidden_weight, gate, kUnits), *hidden);
  }
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    const float r = Sigmoid(input[unit] + recurrent[unit]);
    const float z = Sigmoid(input[kUnits + unit] + recurrent[kUnits + unit]);
    const float n = std::tanh(input[2 * kUnits + unit] + r * recurrent[2 * kUnits + unit]);
    (*hidden)[unit] = (1.0F - z) * n + z * (*hidden)[unit];
  }
}

std::vector<std::string> GraphemeNet::Predict(std::string_view word) const {
  std::vector<float> hidden(kUnits, 0.0F);
  for (const char letter : word) {
    const bool known = letter >= 'a' && letter <= 'z';
    Step(encoder_, known ? letter - 'a' + 3 : kUnknownLetter, &hidden);
  }
  Step(encoder_, kEndLetter, &hidden);
  std::vector<std::string> phones;
  int last = kStartPhone;
  for (int step = 0; step < kMaxPhones; ++step) {
    Step(decoder_, last, &hidden);
    std::array<float, kPhones> logits;
    for (std::size_t phone = 0; phone < kPhones; ++phone) {
      logits[phone] = output_bias_[phone] + Dot(Row(output_weight_, phone, kUnits), hidden);
    }
    last = static_cast<int>(std::ranges::max_element(logits) - logits.begin());
    if (last == kEndPhone) break;
    if (last > kEndPhone) {  // the table has UW only with a stress digit
      const std::string_view name = kPhoneNames[static_cast<std::size_t>(last)];
      phones.emplace_back(name == "UW" ? "UW0" : name);
    }
  }
  return phones;
}

}  // namespace timbre::text
