#include "nn/ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "nn/vector_math.h"

namespace timbre::nn {

namespace {

std::int64_t Count(std::span<const float> x) { return static_cast<std::int64_t>(x.size()); }

}  // namespace

void Activate(Activation activation, std::span<float> x, float slope) {
  ActivateInto(activation, slope, x.data(), Count(x), x.data());
}

void Activate(Activation activation, Tensor& x, float slope) {
  ActivateInto(activation, slope, x.data(), x.size(), x.data());
}

void Softmax(std::span<float> x) {
  if (x.empty()) return;
  const float most = *std::max_element(x.begin(), x.end());
  TIMBRE_CHECK(most > -std::numeric_limits<float>::infinity());
  float total = 0.0f;
  for (float& value : x) {
    value = std::exp(value - most);
    total += value;
  }
  for (float& value : x) value /= total;
}

void SoftmaxRows(Tensor& x) {
  for (std::int64_t r = 0; r < x.rows(); ++r) Softmax(x.row(r));
}

void LayerNorm(const Tensor& x, std::span<const float> gamma, std::span<const float> beta,
               float eps, Tensor& y) {
  TIMBRE_CHECK(Count(gamma) == x.cols() && Count(beta) == x.cols());
  if (&x != &y) y.Reshape(x.rows(), x.cols());
  const float width = static_cast<float>(x.cols());
  for (std::int64_t r = 0; r < x.rows(); ++r) {
    const auto from = x.row(r);
    const auto to = y.row(r);
    float sum = 0.0f;
    for (const float value : from) sum += value;
    const float mean = sum / width;
    float squares = 0.0f;
    for (const float value : from) squares += (value - mean) * (value - mean);
    const float inverse = 1.0f / std::sqrt(squares / width + eps);
    for (std::size_t c = 0; c < from.size(); ++c) {
      to[c] = (from[c] - mean) * inverse * gamma[c] + beta[c];
    }
  }
}

BatchNorm BatchNorm::Take(WeightReader reader, std::int64_t channels, float eps) {
  return {reader.Take("weight", {channels}), reader.Take("bias", {channels}),
          reader.Take("running_mean", {channels}), reader.Take("running_var", {channels}), eps};
}

ScaleShift::ScaleShift(const BatchNorm& norm) : scale(norm.weight.values), shift(norm.bias.values) {
  for (std::size_t c = 0; c < scale.size(); ++c) {
    scale[c] /= std::sqrt(norm.running_var.values.at(c) + norm.eps);
    shift.at(c) -= norm.running_mean.values.at(c) * scale[c];
  }
}

void ScaleShift::Apply(Tensor& x) const {
  TIMBRE_CHECK(x.rows() == 0 || x.cols() == Count(scale));
  for (std::int64_t r = 0; r < x.rows(); ++r) {
    const auto row = x.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = row[c] * scale[c] + shift[c];
  }
}

void FoldBatchNorm(const BatchNorm& norm, Weight& weight, Weight& bias) {
  const ScaleShift folded(norm);
  const std::int64_t out = weight.dim(0), per_output = weight.size() / out;
  TIMBRE_CHECK(Count(folded.scale) == out);
  if (bias.values.empty()) bias = {{out}, std::vector<float>(static_cast<std::size_t>(out), 0.0f)};
  for (std::int64_t o = 0; o < out; ++o) {
    const auto i = static_cast<std::size_t>(o);
    for (std::int64_t k = 0; k < per_output; ++k) {
      weight.values[static_cast<std::size_t>(o * per_output + k)] *= folded.scale[i];
    }
    bias.values.at(i) = bias.values[i] * folded.scale[i] + folded.shift[i];
  }
}

void Embed(const Weight& table, std::span<const std::int32_t> ids, Tensor& y) {
  TIMBRE_CHECK(table.shape.size() == 2);
  const std::int64_t width = table.dim(1);
  y.Reshape(static_cast<std::int64_t>(ids.size()), width);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    TIMBRE_CHECK(ids[i] >= 0 && ids[i] < table.dim(0));
    std::copy_n(table.values.data() + ids[i] * width, width,
                y.row(static_cast<std::int64_t>(i)).data());
  }
}

void MaxPoolPairs(const Tensor& x, Tensor& y) {
  TIMBRE_CHECK(&x != &y);
  y.Reshape(x.rows(), x.cols());
  for (std::int64_t r = 0; r < x.rows(); ++r) {
    const auto now = x.row(r), before = x.row(std::max<std::int64_t>(r - 1, 0));
    const auto to = y.row(r);
    for (std::size_t c = 0; c < to.size(); ++c) to[c] = std::max(before[c], now[c]);
  }
}

void RepeatRows(const Tensor& x, std::int64_t times, Tensor& y) {
  TIMBRE_CHECK(&x != &y && times >= 0);
  y.Reshape(x.rows() * times, x.cols());
  for (std::int64_t r = 0; r < y.rows(); ++r) {
    std::copy_n(x.row(r / times).data(), x.cols(), y.row(r).data());
  }
}

void ConcatColumns(std::initializer_list<const Tensor*> parts, Tensor& y) {
  std::int64_t rows = 0, cols = 0;
  for (const Tensor* part : parts) {
    TIMBRE_CHECK(part != &y && (cols == 0 || part->rows() == rows));
    rows = part->rows();
    cols += part->cols();
  }
  y.Reshape(rows, cols);
  std::int64_t at = 0;
  for (const Tensor* part : parts) {
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy_n(part->row(r).data(), part->cols(), y.row(r).data() + at);
    }
    at += part->cols();
  }
}

float Dot(std::span<const float> a, std::span<const float> b) {
  TIMBRE_CHECK(a.size() == b.size());
  return DotOf(a.data(), b.data(), Count(a));
}

float MaxAbs(std::span<const float> x) { return MaxAbsOf(x.data(), Count(x)); }

void Axpy(float scale, std::span<const float> x, std::span<float> y) {
  TIMBRE_CHECK(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += scale * x[i];
}

void Add(const Tensor& x, Tensor& y) {
  TIMBRE_CHECK(x.rows() == y.rows() && x.cols() == y.cols());
  for (std::int64_t i = 0; i < x.size(); ++i) y.data()[i] += x.data()[i];
}

void Multiply(std::span<const float> x, std::span<float> y) {
  TIMBRE_CHECK(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] *= x[i];
}

void Scale(float scale, std::span<float> y) {
  for (float& value : y) value *= scale;
}

}  // namespace timbre::nn
