#include "nn/cpu.h"

#include <oneapi/dnnl/dnnl.hpp>

namespace timbre::nn {
namespace {

CpuFeatures Ask() {
  using Isa = dnnl::cpu_isa;
  const Isa isa = dnnl::get_effective_cpu_isa();
  CpuFeatures cpu;
  switch (isa) {
    case Isa::avx512_core:
    case Isa::avx512_core_vnni:
    case Isa::avx512_core_bf16:
    case Isa::avx512_core_fp16:
    case Isa::avx512_core_amx:
    case Isa::avx512_core_amx_fp16:
      cpu.level = CpuLevel::kAvx512;
      break;
    case Isa::avx2:
    case Isa::avx2_vnni:
    case Isa::avx2_vnni_2:
      cpu.level = CpuLevel::kAvx2;
      break;
    default:
      cpu.level = CpuLevel::kBase;
  }
  cpu.amx = isa == Isa::avx512_core_amx || isa == Isa::avx512_core_amx_fp16;
  cpu.bf16 = cpu.amx || isa == Isa::avx512_core_bf16 || isa == Isa::avx512_core_fp16;
  cpu.int8 =
      cpu.bf16 || isa == Isa::avx512_core_vnni || isa == Isa::avx2_vnni || isa == Isa::avx2_vnni_2;
  return cpu;
}

thread_local int onednn_only = 0;

}  // namespace

bool OwnKernelsForAll() { return Cpu().level == CpuLevel::kAvx2 && onednn_only == 0; }

OneDnnForAll::OneDnnForAll() { ++onednn_only; }
OneDnnForAll::~OneDnnForAll() { --onednn_only; }

const CpuFeatures& Cpu() {
  static const CpuFeatures features = Ask();
  return features;
}

}  // namespace timbre::nn
