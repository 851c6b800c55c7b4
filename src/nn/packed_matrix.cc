#include "nn/packed_matrix.h"

#include <algorithm>
#include <bit>
#include <new>

#include "nn/cpu.h"
#include "nn/layer_input.h"
#include "nn/leaky_relu.h"
#include "nn/onednn.h"
#include "nn/vector_math.h"

namespace timbre::nn {
namespace {

constexpr std::size_t kAlignment = 64;
// Below this much work, waking a second thread costs more than it saves. Reading a weight for one
// row takes as long as using it for several.
constexpr std::int64_t kParallelProducts = 8 << 20;
constexpr std::int64_t kRowsPerReading = 8;
// Of the left factor, to stay in the second-level cache.
constexpr std::int64_t kBlockFloats = 48 << 10;

std::int64_t ElementBytes(Precision precision) {
  return precision == Precision::kF32 ? 4 : precision == Precision::kBf16 ? 2 : 1;
}

float Value(float w) { return w; }
float Value(std::uint16_t w) { return std::bit_cast<float>(std::uint32_t{w} << 16); }
float Value(std::int8_t w) { return w; }

template <typename T>
void Sum(const void* panel, const MatrixRows& from, int rows, float* sums) {
  std::fill_n(sums, rows * PackedMatrix::kPanel, 0.0f);
  const T* w = static_cast<const T*>(panel);
  for (std::int64_t j = 0; j < from.taps; ++j) {
    for (std::int64_t k = 0; k < from.width; ++k, w += PackedMatrix::kPanel) {
      for (int r = 0; r < rows; ++r) {
        const float value = from.x[r * from.row_stride + j * from.tap_stride + k];
        for (int o = 0; o < PackedMatrix::kPanel; ++o) {
          sums[r * PackedMatrix::kPanel + o] += value * Value(w[o]);
        }
      }
    }
  }
}

// The `rows` x 16 sums of a tile, of whose columns `width` exist, to y with rows `stride` apart.
TIMBRE_INLINE_BODY void FinishTileBody(float* sums, int rows, const float* scales,
                                       const float* bias, const MatrixEnd& end, std::int64_t width,
                                       std::int64_t stride, float* y) {
  constexpr std::int64_t kPanel = PackedMatrix::kPanel;
  float scale[kPanel], shift[kPanel] = {};
  for (std::int64_t o = 0; o < kPanel; ++o) scale[o] = scales == nullptr ? 1.0f : scales[o];
  if (bias != nullptr) std::copy_n(bias, width, shift);
  for (int r = 0; r < rows; ++r, sums += kPanel, y += stride) {
#pragma omp simd
    for (std::int64_t o = 0; o < kPanel; ++o) {
      sums[o] = LeakyRelu(sums[o] * scale[o] + shift[o], end.slope);
    }
    if (width < kPanel) {
      for (std::int64_t o = 0; o < width; ++o) y[o] = end.add ? y[o] + sums[o] : sums[o];
    } else if (end.add) {
#pragma omp simd
      for (std::int64_t o = 0; o < kPanel; ++o) y[o] += sums[o];
    } else {
#pragma omp simd
      for (std::int64_t o = 0; o < kPanel; ++o) y[o] = sums[o];
    }
  }
}
TIMBRE_FOR_EACH_LEVEL(void, FinishTile,
                      (float* sums, int rows, const float* scales, const float* bias,
                       const MatrixEnd& end, std::int64_t width, std::int64_t stride, float* y),
                      (sums, rows, scales, bias, end, width, stride, y))

}  // namespace

bool IsRectifier(Activation activation) {
  return activation == Activation::kNone || activation == Activation::kRelu ||
         activation == Activation::kLeakyRelu;
}

float SlopeOf(Activation activation, float slope) {
  if (activation == Activation::kRelu) return 0.0f;
  return activation == Activation::kLeakyRelu ? slope : 1.0f;
}

PackedMatrix::Kernel BaseKernel(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return Sum<std::uint16_t>;
    case Precision::kInt8:
      return Sum<std::int8_t>;
    default:
      return Sum<float>;
  }
}

void PackedMatrix::Free::operator()(std::byte* p) const {
  ::operator delete[](p, std::align_val_t{kAlignment});
}

PackedMatrix::PackedMatrix(const float* weight, std::int64_t out, std::int64_t in,
                           Precision precision)
    : in_(in), out_(out), precision_(precision) {
  const std::int64_t panels = (out + kPanel - 1) / kPanel;
  panel_bytes_ = in * kPanel * ElementBytes(precision);
  panels_.reset(static_cast<std::byte*>(::operator new[](
      static_cast<std::size_t>(panels * panel_bytes_), std::align_val_t{kAlignment})));
  if (precision == Precision::kInt8) scales_.assign(static_cast<std::size_t>(panels * kPanel), 0);
  std::vector<float> lane(static_cast<std::size_t>(in));
  std::vector<std::uint16_t> halves(lane.size());
  std::vector<std::int8_t> bytes(lane.size());
  const auto store = [&](std::int64_t o, const auto& values) {
    using T = std::decay_t<decltype(values[0])>;
    T* to = reinterpret_cast<T*>(panels_.get() + o / kPanel * panel_bytes_) + o % kPanel;
    for (std::int64_t k = 0; k < in; ++k) to[k * kPanel] = values[static_cast<std::size_t>(k)];
  };
  for (std::int64_t o = 0; o < panels * kPanel; ++o) {
    if (o < out) {
      std::copy_n(weight + o * in, in, lane.data());
    } else {
      std::fill(lane.begin(), lane.end(), 0.0f);
    }
    if (precision == Precision::kF32) {
      store(o, lane);
    } else if (precision == Precision::kBf16) {
      ToBf16(lane.data(), in, halves.data());
      store(o, halves);
    } else {
      const float scale = InputScale(0.0f, lane.data(), in);
      scales_[static_cast<std::size_t>(o)] = scale;
      ToInt8(lane.data(), in, scale, bytes.data());
      store(o, bytes);
    }
  }
  switch (Cpu().level) {
    case CpuLevel::kAvx512:
      kernel_ = Avx512Kernel(precision);
      break;
    case CpuLevel::kAvx2:
      kernel_ = Avx2Kernel(precision);
      break;
    default:
      kernel_ = BaseKernel(precision);
  }
}

void PackedMatrix::MultiplyPanels(std::int64_t first, std::int64_t last, const MatrixRows& from,
                                  std::int64_t rows, const MatrixEnd& end, float* y) const {
  alignas(kAlignment) float sums[kMaxRows * kPanel];
  // Rows in blocks that stay in the second-level cache while all panels pass over them.
  const std::int64_t fitting = kBlockFloats / std::max<std::int64_t>(1, from.row_stride);
  const std::int64_t block = std::max<std::int64_t>(1, fitting / kMaxRows) * kMaxRows;
  for (std::int64_t begin = 0; begin < rows; begin += block) {
    const std::int64_t stop = std::min(rows, begin + block);
    for (std::int64_t p = first; p < last; ++p) {
      const std::int64_t output = p * kPanel, width = std::min(kPanel, out_ - output);
      for (std::int64_t row = begin; row < stop; row += kMaxRows) {
        const int count = static_cast<int>(std::min<std::int64_t>(kMaxRows, stop - row));
        MatrixRows tile = from;
        tile.x += row * from.row_stride;
        kernel_(panels_.get() + p * panel_bytes_, tile, count, sums);
        FinishTile(sums, count, scales_.empty() ? nullptr : scales_.data() + output,
                   end.bias == nullptr ? nullptr : end.bias + output, end, width, out_,
                   y + row * out_ + output);
      }
    }
  }
}

void PackedMatrix::Multiply(const MatrixRows& from, std::int64_t rows, const MatrixEnd& end,
                            float* y) const {
  const std::int64_t panels = (out_ + kPanel - 1) / kPanel;
  const bool small = in_ * out_ * std::max(rows, kRowsPerReading) < kParallelProducts;
  const int threads = small ? 1 : ApplyThreadBudget();
  if (threads == 1) return MultiplyPanels(0, panels, from, rows, end, y);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    MultiplyPanels(panels * t / threads, panels * (t + 1) / threads, from, rows, end, y);
  }
}

std::vector<float> PackedMatrix::Unpack() const {
  std::vector<float> weight(static_cast<std::size_t>(out_ * in_));
  const auto load = [&](auto type) {
    using T = decltype(type);
    for (std::int64_t o = 0; o < out_; ++o) {
      const T* from =
          reinterpret_cast<const T*>(panels_.get() + o / kPanel * panel_bytes_) + o % kPanel;
      const float scale = scales_.empty() ? 1.0f : scales_[static_cast<std::size_t>(o)];
      for (std::int64_t k = 0; k < in_; ++k) {
        weight[static_cast<std::size_t>(o * in_ + k)] = Value(from[k * kPanel]) * scale;
      }
    }
  };
  if (precision_ == Precision::kF32) load(float{});
  if (precision_ == Precision::kBf16) load(std::uint16_t{});
  if (precision_ == Precision::kInt8) load(std::int8_t{});
  return weight;
}

}  // namespace timbre::nn
