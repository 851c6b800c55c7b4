#include "nn/precision.h"

#include <cpuid.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "nn/conv1d.h"
#include "nn/cpu.h"
#include "nn/random.h"
#include "nn/threads.h"

namespace timbre::nn {
namespace {

// A convolution as in the middle of a HiFi-GAN V1, and the rows of a usual chunk.
constexpr std::int64_t kChannels = 128, kKernel = 7, kDilation = 3, kRows = 448;
constexpr int kRuns = 5;
// A narrower type must be at least this much faster than f32.
constexpr double kWorthwhile = 0.9;

// Processor time, so that a busy machine disturbs the measurement little.
double ThreadMicroseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

double MeasureConvolution(Precision precision) {
  const ThreadBudget one(1);
  Random random(1);
  Weight weight{{kChannels, kChannels, kKernel}, {}};
  weight.values.resize(static_cast<std::size_t>(kChannels * kChannels * kKernel));
  random.FillNormal(weight.values);
  const Conv1d conv(std::move(weight), {},
                    {.dilation = kDilation, .precision = precision, .input_range = 4.0f});
  Tensor x(kRows, kChannels), y;
  random.FillNormal({x.data(), static_cast<std::size_t>(x.size())});
  conv.Forward(x, y);
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double start = ThreadMicroseconds();
    conv.Forward(x, y);
    const double took = ThreadMicroseconds() - start;
    best = run == 0 ? took : std::min(best, took);
  }
  return best;
}

double TimeOf(const PrecisionTimes& times, Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return times.bf16;
    case Precision::kInt8:
      return times.int8;
    default:
      return times.f32;
  }
}

}  // namespace

const char* PrecisionName(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return "bf16";
    case Precision::kInt8:
      return "int8";
    default:
      return "f32";
  }
}

Result<Precision> ParsePrecision(std::string_view name) {
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    if (name == PrecisionName(precision)) return precision;
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown_precision",
              "There is no precision '{}'; it is f32, bf16 or int8.", name);
}

std::string CpuName() {
  // Leaves 0x80000002..4 hold the name, 16 bytes each, padded with blanks or zeros.
  unsigned words[12] = {};
  if (__get_cpuid_max(0x80000000u, nullptr) < 0x80000004u) return "x86-64";
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned* w = words + 4 * leaf;
    __get_cpuid(0x80000002u + leaf, &w[0], &w[1], &w[2], &w[3]);
  }
  char name[sizeof(words) + 1] = {};
  std::memcpy(name, words, sizeof(words));
  std::string text(name);
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "x86-64";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

const char* CpuInstructions() {
  const CpuFeatures& cpu = Cpu();
  if (cpu.amx) return "AMX";
  if (cpu.level == CpuLevel::kAvx512) {
    return cpu.bf16 ? "AVX-512 BF16" : cpu.int8 ? "AVX-512 VNNI" : "AVX-512";
  }
  if (cpu.level == CpuLevel::kAvx2) return cpu.int8 ? "AVX2 VNNI" : "AVX2";
  return "SSE";
}

bool HasPrecision(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return Cpu().bf16;
    case Precision::kInt8:
      return Cpu().int8;
    default:
      return true;
  }
}

Precision SupportedPrecision(Precision wanted) {
  return HasPrecision(wanted) ? wanted : Precision::kF32;
}

PrecisionTimes MeasurePrecisions() {
  PrecisionTimes times;
  times.f32 = MeasureConvolution(Precision::kF32);
  if (HasPrecision(Precision::kBf16)) times.bf16 = MeasureConvolution(Precision::kBf16);
  if (HasPrecision(Precision::kInt8)) times.int8 = MeasureConvolution(Precision::kInt8);
  return times;
}

PrecisionChoice ChoosePrecision(const PrecisionTimes& times, std::span<const Precision> allowed) {
  PrecisionChoice choice;
  double best = times.f32 * kWorthwhile;
  std::string figures = fmt::format("f32 {:.0f} us", times.f32);
  std::string lacking;
  for (const Precision precision : allowed) {
    if (precision == Precision::kF32) continue;
    const double time = TimeOf(times, precision);
    if (time <= 0) {
      lacking += fmt::format("{}{}", lacking.empty() ? "" : " and ", PrecisionName(precision));
      continue;
    }
    figures += fmt::format(", {} {:.0f} us", PrecisionName(precision), time);
    if (time < best) {
      best = time;
      choice.precision = precision;
    }
  }
  choice.reason = fmt::format("{}: a typical convolution takes {}", CpuInstructions(), figures);
  if (!lacking.empty()) choice.reason += fmt::format("; this CPU has no {} arithmetic", lacking);
  return choice;
}

}  // namespace timbre::nn
