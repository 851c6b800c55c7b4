#include "nn/onednn.h"

#include <omp.h>

#include <array>
#include <new>

#include "nn/threads.h"

namespace timbre::nn {
namespace {

constexpr std::size_t kAlignment = 64;

struct GrowingBuffer {
  void* data = nullptr;
  std::size_t bytes = 0;

  ~GrowingBuffer() { ::operator delete (data, std::align_val_t{kAlignment}); }
  void* AtLeast(std::size_t wanted) {
    if (wanted > bytes) {
      ::operator delete (data, std::align_val_t{kAlignment});
      data = nullptr;
      data = ::operator new (wanted, std::align_val_t{kAlignment});
      bytes = wanted;
    }
    return data;
  }
};

}  // namespace

const dnnl::engine& Engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& ThreadStream() {
  thread_local dnnl::stream stream(Engine());
  return stream;
}

void* ThreadMemory(ThreadArea area, std::size_t bytes) {
  thread_local std::array<GrowingBuffer, static_cast<std::size_t>(ThreadArea::kCount)> buffers;
  return buffers[static_cast<std::size_t>(area)].AtLeast(bytes);
}

int ApplyThreadBudget() {
  const int threads = CurrentThreadBudget();
  if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
  return threads;
}

void AppendActivation(Activation activation, float slope, dnnl::post_ops& ops) {
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      return ops.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
    case Activation::kLeakyRelu:
      return ops.append_eltwise(dnnl::algorithm::eltwise_relu, slope, 0.0f);
    case Activation::kTanh:
      return ops.append_eltwise(dnnl::algorithm::eltwise_tanh, 0.0f, 0.0f);
    case Activation::kSigmoid:
      return ops.append_eltwise(dnnl::algorithm::eltwise_logistic, 0.0f, 0.0f);
  }
}

dnnl::memory PackedWeights::In(const dnnl::memory::desc& layout) {
  std::lock_guard lock(mutex_);
  for (const dnnl::memory& packed : packed_) {
    if (packed.get_desc() == layout) return packed;
  }
  dnnl::memory packed(layout, Engine());
  dnnl::reorder(source_, packed).execute(ThreadStream(), source_, packed);
  ThreadStream().wait();
  if (source_.get_desc().get_data_type() != dnnl::memory::data_type::s8) source_ = packed;
  packed_.push_back(packed);
  return packed;
}

}  // namespace timbre::nn
