#include "nn/conv1d.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "nn/cpu.h"
#include "nn/layer_input.h"
#include "nn/onednn.h"
#include "nn/packed_matrix.h"
#include "nn/vector_math.h"

namespace timbre::nn {
namespace {

// Longer inputs go in blocks of this many output rows: their data stay in the cache, and there are
// few different primitives.
constexpr std::int64_t kBlockRows = 2048;
constexpr std::int64_t kTypicalRows = 448;

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

}  // namespace

// Every call is a "valid" convolution over rows that already include the padding.
struct Conv1d::Impl {
  std::int64_t in = 0, out = 0, kernel = 0;
  Conv1dOptions options;
  bool native = false;               // the CPU computes in options.precision itself
  std::int64_t span = 0;             // input rows that an output row reads, less one
  std::vector<float> weight_scales;  // int8: [out]
  bool own = false;                  // by our own kernels instead of oneDNN's
  PackedMatrix matrix;               // own: [out, kernel*in]
  std::vector<float> bias_values;    // own: [out] or empty
  dnnl::memory bias, scales;
  dnnl::memory::desc any_weights;  // in any layout
  mutable PackedWeights weights;
  mutable PrimitiveCache cache;

  Impl(Weight weight, Weight bias_weight, Conv1dOptions chosen);

  Type source_type() const {
    if (!native) return Type::f32;
    if (options.precision == Precision::kBf16) return Type::bf16;
    return options.precision == Precision::kInt8 ? Type::s8 : Type::f32;
  }
  void TapsFirst(Weight& weight) const;
  void KeepForOneDnn(const Weight& weight, const Weight& bias_weight);
  RowsPrimitive Make(std::int64_t rows) const;
  // rows of y from (rows + span) rows at x, padding and input activation included; y has room for
  // RowBucket(rows) rows and x is readable for as many and span more.
  void RunBlock(const float* x, std::int64_t rows, float* y) const;
  void RunOwn(const float* x, std::int64_t rows, float* y) const;
  void ResizeOutput(std::int64_t rows, Tensor& y) const;
};

Conv1d::Impl::Impl(Weight weight, Weight bias_weight, Conv1dOptions chosen)
    : options(std::move(chosen)) {
  TIMBRE_CHECK(weight.shape.size() == 3);
  const std::int64_t groups = options.groups;
  out = weight.dim(0);
  in = weight.dim(1) * groups;
  kernel = weight.dim(2);
  TIMBRE_CHECK(groups >= 1 && out % groups == 0 && options.dilation >= 1 && kernel >= 1);
  TIMBRE_CHECK(bias_weight.values.empty() || bias_weight.size() == out);
  span = (kernel - 1) * options.dilation;
  if (options.padding_left < 0) options.padding_left = span / 2;
  if (options.padding_right < 0) options.padding_right = span - options.padding_left;
  native = HasPrecision(options.precision);

  own = OwnKernelsForAll() && source_type() == Type::f32 && groups == 1 &&
        (IsRectifier(options.activation) || !options.accumulate);

  // The weights as this precision has them.
  const std::int64_t per_output = weight.dim(1) * kernel;
  if (options.precision == Precision::kInt8) weight_scales.resize(static_cast<std::size_t>(out));
  for (std::int64_t o = 0; o < out; ++o) {
    float* row = weight.values.data() + o * per_output;
    if (options.precision == Precision::kInt8) {
      const float scale = InputScale(0.0f, row, per_output);
      weight_scales[static_cast<std::size_t>(o)] = scale;
      RoundToInt8(row, per_output, scale, row);
    } else if (options.precision == Precision::kBf16) {
      RoundToBf16(row, per_output, row);
    }
  }
  if (own) {
    bias_values = std::move(bias_weight.values);
    TapsFirst(weight);
    matrix = PackedMatrix(weight.values.data(), out, per_output, Precision::kF32);
  } else {
    KeepForOneDnn(weight, bias_weight);
  }
}

// [out, in, k] -> [out, k, in]
void Conv1d::Impl::TapsFirst(Weight& weight) const {
  std::vector<float> turned(weight.values.size());
  for (std::int64_t o = 0; o < out; ++o) {
    const float* from = weight.values.data() + o * in * kernel;
    float* to = turned.data() + o * in * kernel;
    for (std::int64_t i = 0; i < in; ++i) {
      for (std::int64_t k = 0; k < kernel; ++k) to[k * in + i] = from[i * kernel + k];
    }
  }
  weight.values = std::move(turned);
}

void Conv1d::Impl::KeepForOneDnn(const Weight& weight, const Weight& bias_weight) {
  const std::int64_t groups = options.groups, per_output = weight.dim(1) * kernel;
  const dnnl::memory::dims shape =
      groups == 1 ? dnnl::memory::dims{out, in, kernel}
                  : dnnl::memory::dims{groups, out / groups, in / groups, kernel};
  const bool bytes = source_type() == Type::s8;
  dnnl::memory plain({shape, bytes ? Type::s8 : Type::f32, groups == 1 ? Tag::oiw : Tag::goiw},
                     Engine());
  if (bytes) {
    scales = dnnl::memory({{out}, Type::f32, Tag::a}, Engine());
    std::ranges::copy(weight_scales, static_cast<float*>(scales.get_data_handle()));
    for (std::int64_t o = 0; o < out; ++o) {
      ToInt8(weight.values.data() + o * per_output, per_output,
             weight_scales[static_cast<std::size_t>(o)],
             static_cast<std::int8_t*>(plain.get_data_handle()) + o * per_output);
    }
  } else {
    std::ranges::copy(weight.values, static_cast<float*>(plain.get_data_handle()));
  }
  if (!bias_weight.values.empty()) {
    bias = dnnl::memory({{out}, Type::f32, Tag::a}, Engine());
    std::ranges::copy(bias_weight.values, static_cast<float*>(bias.get_data_handle()));
  }
  any_weights = dnnl::memory::desc(shape, source_type(), Tag::any);
  weights.Keep(plain);
  ApplyThreadBudget();
  Make(RowBucket(kTypicalRows));
}

RowsPrimitive Conv1d::Impl::Make(std::int64_t rows) const {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops ops;
  AppendActivation(options.activation, options.slope, ops);
  if (options.accumulate) ops.append_sum(1.0f);
  attributes.set_post_ops(ops);
  if (source_type() == Type::s8) {
    attributes.set_scales_mask(DNNL_ARG_SRC, 0);
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, options.groups == 1 ? 1 : 3);
  }
  const dnnl::memory::desc source({1, in, rows + span}, source_type(), Tag::nwc);
  const dnnl::memory::desc destination({1, out, rows}, Type::f32, Tag::nwc);
  const dnnl::memory::desc bias_layout = bias ? bias.get_desc() : dnnl::memory::desc();
  const dnnl::convolution_forward::primitive_desc description(
      Engine(), dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source,
      any_weights, bias_layout, destination, {1}, {options.dilation - 1}, {0}, {0}, attributes);
  RowsPrimitive made;
  made.primitive = dnnl::convolution_forward(description);
  made.source = description.src_desc();
  made.destination = description.dst_desc();
  made.scratchpad = description.scratchpad_desc();
  made.weights = weights.In(description.weights_desc());
  return made;
}

void Conv1d::Impl::RunBlock(const float* x, std::int64_t rows, float* y) const {
  const std::int64_t computed = own ? rows : RowBucket(rows);
  const std::int64_t used = (rows + span) * in, needed = (computed + span) * in;
  const void* source = x;
  float input_scale = 1.0f;
  if (options.precision == Precision::kInt8) input_scale = InputScale(options.input_range, x, used);
  if (options.precision != Precision::kF32) {
    void* staged = ThreadMemory(ThreadArea::kStaging, static_cast<std::size_t>(needed) * 4);
    if (needed > used) std::memset(staged, 0, static_cast<std::size_t>(needed) * 4);
    if (options.precision == Precision::kBf16) {
      if (native) {
        ToBf16(x, used, static_cast<std::uint16_t*>(staged));
      } else {
        RoundToBf16(x, used, static_cast<float*>(staged));
      }
    } else if (native) {
      ToInt8(x, used, input_scale, static_cast<std::int8_t*>(staged));
    } else {
      RoundToInt8(x, used, input_scale, static_cast<float*>(staged));
    }
    source = staged;
  }
  if (own) return RunOwn(static_cast<const float*>(source), rows, y);

  const int threads = ApplyThreadBudget();
  const auto entry = cache.Get(computed, threads, [&] { return Make(computed); });
  const dnnl::memory source_memory(entry->source, Engine(), const_cast<void*>(source));
  const dnnl::memory destination(entry->destination, Engine(), y);
  const dnnl::memory scratchpad(
      entry->scratchpad, Engine(),
      ThreadMemory(ThreadArea::kScratchpad, entry->scratchpad.get_size()));
  std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, source_memory},
                                                     {DNNL_ARG_WEIGHTS, entry->weights},
                                                     {DNNL_ARG_DST, destination},
                                                     {DNNL_ARG_SCRATCHPAD, scratchpad}};
  if (bias) arguments.emplace(DNNL_ARG_BIAS, bias);
  if (source_type() == Type::s8) {
    const dnnl::memory scale({{1}, Type::f32, Tag::a}, Engine(), &input_scale);
    arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, scale);
    arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, scales);
  }
  entry->primitive.execute(ThreadStream(), arguments);
}

void Conv1d::Impl::RunOwn(const float* x, std::int64_t rows, float* y) const {
  matrix.Multiply({.x = x,
                   .width = in,
                   .taps = kernel,
                   .row_stride = in,
                   .tap_stride = options.dilation * in,
                   .in_order = true},
                  rows,
                  {.bias = bias_values.empty() ? nullptr : bias_values.data(),
                   .add = options.accumulate,
                   .slope = SlopeOf(options.activation, options.slope)},
                  y);
  if (!IsRectifier(options.activation)) ActivateInto(options.activation, 0.0f, y, rows * out, y);
}

void Conv1d::Impl::ResizeOutput(std::int64_t rows, Tensor& y) const {
  const std::int64_t rest = rows % kBlockRows;
  const std::int64_t room = rows - rest + (rest > 0 ? RowBucket(rest) : 0);
  if (options.accumulate) {
    TIMBRE_CHECK(y.rows() == rows && (y.cols() == out || rows == 0));
  } else {
    y.Reshape(0, out);
  }
  // The primitive writes whole buckets; rows beyond the wanted ones stay outside the tensor.
  y.ResizeRows(room);
  y.ResizeRows(rows);
}

Conv1d::Conv1d(Weight weight, Weight bias, Conv1dOptions options)
    : impl_(std::make_unique<Impl>(std::move(weight), std::move(bias), std::move(options))) {}
Conv1d::~Conv1d() = default;
Conv1d::Conv1d(Conv1d&&) noexcept = default;
Conv1d& Conv1d::operator=(Conv1d&&) noexcept = default;

std::int64_t Conv1d::inputs() const { return impl_->in; }
std::int64_t Conv1d::outputs() const { return impl_->out; }
std::int64_t Conv1d::lookahead() const { return impl_->span - impl_->options.padding_left; }

std::int64_t Conv1d::OutputRows(std::int64_t rows) const {
  const Conv1dOptions& o = impl_->options;
  return std::max<std::int64_t>(0, rows + o.padding_left + o.padding_right - impl_->span);
}

void Conv1d::Forward(const Tensor& x, Tensor& y) const {
  const Impl& impl = *impl_;
  const Conv1dOptions& o = impl.options;
  TIMBRE_CHECK(x.rows() == 0 || (x.cols() == impl.in && x.data() != y.data()));
  const std::int64_t rows = OutputRows(x.rows());
  impl.ResizeOutput(rows, y);
  for (std::int64_t begin = 0; begin < rows; begin += kBlockRows) {
    const std::int64_t count = std::min(kBlockRows, rows - begin);
    const std::int64_t needed = RowBucket(count) + impl.span;
    auto* padded = static_cast<float*>(ThreadMemory(
        ThreadArea::kInput, static_cast<std::size_t>(needed * impl.in) * sizeof(float)));
    // Row r of the block is row first + r of x; zeros stand for those outside.
    const std::int64_t first = begin - o.padding_left;
    const std::int64_t from = std::clamp<std::int64_t>(first, 0, x.rows());
    const std::int64_t to = std::clamp<std::int64_t>(first + count + impl.span, 0, x.rows());
    std::fill_n(padded, (from - first) * impl.in, 0.0f);
    float* inside = padded + (from - first) * impl.in;
    ActivateInto(o.input_activation, o.input_slope, x.data() + from * impl.in,
                 (to - from) * impl.in, inside);
    std::fill(inside + (to - from) * impl.in, padded + needed * impl.in, 0.0f);
    RecordInput(o.name, inside, (to - from) * impl.in);
    impl.RunBlock(padded, count, y.data() + begin * impl.out);
  }
}

Tensor Conv1d::operator()(const Tensor& x) const {
  TIMBRE_CHECK(!impl_->options.accumulate);
  Tensor y;
  Forward(x, y);
  return y;
}

std::int64_t Conv1d::PushRows(const State& state, std::int64_t rows, bool last) const {
  const Conv1dOptions& o = impl_->options;
  const std::int64_t held = state.started_ ? state.rows_.rows() : o.padding_left;
  return std::max<std::int64_t>(0, held + rows + (last ? o.padding_right : 0) - impl_->span);
}

void Conv1d::Push(State& state, const Tensor& x, bool last, Tensor& y) const {
  const Impl& impl = *impl_;
  const Conv1dOptions& o = impl.options;
  TIMBRE_CHECK(!state.ended_);
  TIMBRE_CHECK(x.rows() == 0 || (x.cols() == impl.in && x.data() != y.data()));
  const std::int64_t rows = PushRows(state, x.rows(), last);
  if (!state.started_) {
    state.rows_ = Tensor(o.padding_left, impl.in);
    state.started_ = true;
  }
  state.ended_ = last;
  const std::int64_t held = state.rows_.rows();
  const std::int64_t total = held + x.rows() + (last ? o.padding_right : 0);
  // Room for whole buckets, so that the primitive reads straight from here.
  const std::int64_t rest = rows % kBlockRows;
  const std::int64_t room = std::max(total, rows - rest + RowBucket(rest) + impl.span);
  Tensor& input = state.rows_;
  input.ResizeRows(room);
  float* arrived = input.data() + held * impl.in;
  ActivateInto(o.input_activation, o.input_slope, x.data(), x.size(), arrived);
  RecordInput(o.name, arrived, x.size());
  std::fill(arrived + x.size(), input.data() + input.size(), 0.0f);
  impl.ResizeOutput(rows, y);
  for (std::int64_t begin = 0; begin < rows; begin += kBlockRows) {
    impl.RunBlock(input.data() + begin * impl.in, std::min(kBlockRows, rows - begin),
                  y.data() + begin * impl.out);
  }
  input.ResizeRows(total);
  input.DropFrontRows(last ? total : std::min(rows, total));
}

void Conv1d::Warm(std::int64_t rows) const {
  const Impl& impl = *impl_;
  if (rows <= 0 || impl.own) return;
  const int threads = ApplyThreadBudget();
  for (const std::int64_t count : {std::min(rows, kBlockRows), rows % kBlockRows}) {
    if (count == 0) continue;
    const std::int64_t bucket = RowBucket(count);
    impl.cache.Get(bucket, threads, [&] { return impl.Make(bucket); });
  }
}

}  // namespace timbre::nn
