#include "nn/linear.h"

#include <algorithm>
#include <cstring>
#include <mutex>
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

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

// Up to here our own kernel is as fast as a matrix product, or faster.
constexpr std::int64_t kFewRows = 8;
constexpr std::int64_t kBlockRows = 1024;

}  // namespace

struct Linear::Impl {
  std::int64_t in = 0, out = 0;
  LinearOptions options;
  bool native = false;  // the CPU computes in options.precision itself
  bool own = false;     // many rows too by our own kernels
  PackedMatrix few;
  std::vector<float> bias;  // [out] or empty
  // oneDNN's copy of the weights is made when many rows come for the first time.
  mutable std::once_flag packed;
  mutable dnnl::memory scales;
  mutable PackedWeights weights;
  mutable PrimitiveCache cache;

  Type source_type() const {
    if (!native) return Type::f32;
    if (options.precision == Precision::kBf16) return Type::bf16;
    return options.precision == Precision::kInt8 ? Type::s8 : Type::f32;
  }
  RowsPrimitive Make(std::int64_t rows) const;
  void Pack() const;
  void RunFew(const float* x, std::int64_t rows, float* y) const;
  // y has room for RowBucket(rows) rows.
  void RunBlock(const float* x, std::int64_t rows, float* y) const;
};

RowsPrimitive Linear::Impl::Make(std::int64_t rows) const {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops ops;
  AppendActivation(options.activation, options.slope, ops);
  attributes.set_post_ops(ops);
  if (source_type() == Type::s8) {
    attributes.set_scales_mask(DNNL_ARG_SRC, 0);
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, 2);
  }
  const dnnl::memory::desc source({rows, in}, source_type(), Tag::ab);
  const dnnl::memory::desc destination({rows, out}, Type::f32, Tag::ab);
  const dnnl::memory::desc layout({in, out}, source_type(), Tag::any);
  const dnnl::memory::desc bias_layout({1, out}, Type::f32, Tag::ab);
  const dnnl::matmul::primitive_desc description =
      bias.empty() ? dnnl::matmul::primitive_desc(Engine(), source, layout, destination, attributes)
                   : dnnl::matmul::primitive_desc(Engine(), source, layout, bias_layout,
                                                  destination, attributes);
  RowsPrimitive made;
  made.primitive = dnnl::matmul(description);
  made.source = description.src_desc();
  made.destination = description.dst_desc();
  made.scratchpad = description.scratchpad_desc();
  made.weights = weights.In(description.weights_desc());
  return made;
}

void Linear::Impl::Pack() const {
  std::call_once(packed, [this] {
    // [out, in] row-major is [in, out] column-major. The stored values are the rounded ones.
    const std::vector<float> values = few.Unpack();
    const dnnl::memory::dims shape = {in, out};
    dnnl::memory plain({shape, Type::f32, Tag::ba}, Engine());
    std::ranges::copy(values, static_cast<float*>(plain.get_data_handle()));
    if (source_type() == Type::s8) {
      dnnl::memory bytes({shape, Type::s8, Tag::ba}, Engine());
      scales = dnnl::memory({{out}, Type::f32, Tag::a}, Engine());
      auto* scale = static_cast<float*>(scales.get_data_handle());
      for (std::int64_t o = 0; o < out; ++o) {
        scale[o] = InputScale(0.0f, values.data() + o * in, in);
        ToInt8(values.data() + o * in, in, scale[o],
               static_cast<std::int8_t*>(bytes.get_data_handle()) + o * in);
      }
      plain = bytes;
    }
    weights.Keep(plain);
  });
}

void Linear::Impl::RunFew(const float* x, std::int64_t rows, float* y) const {
  few.Multiply({.x = x, .width = in, .row_stride = in}, rows,
               {.bias = bias.empty() ? nullptr : bias.data(),
                .slope = SlopeOf(options.activation, options.slope)},
               y);
  if (!IsRectifier(options.activation)) ActivateInto(options.activation, 0.0f, y, rows * out, y);
}

void Linear::Impl::RunBlock(const float* x, std::int64_t rows, float* y) const {
  const std::int64_t computed = own ? rows : RowBucket(rows);
  const std::int64_t used = rows * in, needed = computed * in;
  const void* source = x;
  float input_scale = 1.0f;
  if (options.precision == Precision::kInt8) input_scale = InputScale(options.input_range, x, used);
  if (options.precision != Precision::kF32 || needed > used) {
    void* staged = ThreadMemory(ThreadArea::kStaging, static_cast<std::size_t>(needed) * 4);
    if (needed > used) std::memset(staged, 0, static_cast<std::size_t>(needed) * 4);
    if (options.precision == Precision::kF32) {
      std::copy_n(x, used, static_cast<float*>(staged));
    } else if (options.precision == Precision::kBf16) {
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
  if (own) return RunFew(static_cast<const float*>(source), rows, y);

  const int threads = ApplyThreadBudget();
  Pack();
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
  if (!bias.empty()) {
    arguments.emplace(DNNL_ARG_BIAS, dnnl::memory({{1, out}, Type::f32, Tag::ab}, Engine(),
                                                  const_cast<float*>(bias.data())));
  }
  if (source_type() == Type::s8) {
    arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC,
                      dnnl::memory({{1}, Type::f32, Tag::a}, Engine(), &input_scale));
    arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, scales);
  }
  entry->primitive.execute(ThreadStream(), arguments);
}

Linear::Linear(Weight weight, Weight bias, LinearOptions options)
    : impl_(std::make_unique<Impl>()) {
  TIMBRE_CHECK(weight.shape.size() == 2);
  TIMBRE_CHECK(bias.values.empty() || bias.size() == weight.dim(0));
  impl_->out = weight.dim(0);
  impl_->in = weight.dim(1);
  impl_->options = std::move(options);
  impl_->native = HasPrecision(impl_->options.precision);
  impl_->own = OwnKernelsForAll() && impl_->source_type() == Type::f32;
  impl_->few = PackedMatrix(weight.values.data(), impl_->out, impl_->in, impl_->options.precision);
  impl_->bias = std::move(bias.values);
}
Linear::~Linear() = default;
Linear::Linear(Linear&&) noexcept = default;
Linear& Linear::operator=(Linear&&) noexcept = default;

std::int64_t Linear::inputs() const { return impl_->in; }
std::int64_t Linear::outputs() const { return impl_->out; }

void Linear::Forward(const Tensor& x, Tensor& y) const {
  const Impl& impl = *impl_;
  const std::int64_t rows = x.rows();
  TIMBRE_CHECK(rows == 0 || (x.cols() == impl.in && x.data() != y.data()));
  RecordInput(impl.options.name, x.data(), x.size());
  if (rows <= kFewRows) {
    y.Reshape(rows, impl.out);
    return impl.RunFew(x.data(), rows, y.data());
  }
  const std::int64_t rest = rows % kBlockRows;
  y.Reshape(rows - rest + RowBucket(rest), impl.out);
  for (std::int64_t begin = 0; begin < rows; begin += kBlockRows) {
    impl.RunBlock(x.data() + begin * impl.in, std::min(kBlockRows, rows - begin),
                  y.data() + begin * impl.out);
  }
  y.ResizeRows(rows);
}

Tensor Linear::operator()(const Tensor& x) const {
  Tensor y;
  Forward(x, y);
  return y;
}

void Linear::Step(std::span<const float> x, std::span<float> y) const {
  TIMBRE_CHECK(static_cast<std::int64_t>(x.size()) == impl_->in &&
               static_cast<std::int64_t>(y.size()) == impl_->out);
  RecordInput(impl_->options.name, x.data(), impl_->in);
  impl_->RunFew(x.data(), 1, y.data());
}

void Linear::Warm(std::int64_t rows) const {
  const Impl& impl = *impl_;
  if (rows <= kFewRows || impl.own) return;
  const int threads = ApplyThreadBudget();
  impl.Pack();
  for (const std::int64_t count : {std::min(rows, kBlockRows), rows % kBlockRows}) {
    if (count == 0) continue;
    const std::int64_t bucket = RowBucket(count);
    impl.cache.Get(bucket, threads, [&] { return impl.Make(bucket); });
  }
}

}  // namespace timbre::nn
