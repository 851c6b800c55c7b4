#include "audio/resample.h"

#include <soxr.h>

#include <cmath>
#include <utility>

#include "base/check.h"

namespace timbre::audio {
namespace {

constexpr int kMaxRate = 768000;  // Hz

std::int64_t OutputLength(std::int64_t samples, int from_rate, int to_rate) {
  return (samples * to_rate + from_rate - 1) / from_rate;
}

}  // namespace

struct StreamResampler::State {
  struct Delete {
    void operator()(soxr* handle) const { soxr_delete(handle); }
  };

  State(int from, int to) : from_rate(from), to_rate(to) {
    TIMBRE_CHECK(from > 0 && to > 0 && from <= kMaxRate && to <= kMaxRate);
    if (from == to) return;
    const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    const soxr_runtime_spec_t one_thread = soxr_runtime_spec(1);
    soxr_error_t error = nullptr;
    handle.reset(soxr_create(from, to, 1, &error, &io, &quality, &one_thread));
    TIMBRE_CHECK(handle != nullptr && error == nullptr);
  }

  // Runs soxr over `input` (nullptr: the end) until it wants more.
  void Process(const float* input, std::size_t count, std::vector<float>& output) {
    std::size_t used = 0;
    for (;;) {
      std::size_t taken = 0;
      std::size_t made = 0;
      const std::size_t before = output.size();
      const std::size_t room =
          1024 + static_cast<std::size_t>(
                     OutputLength(static_cast<std::int64_t>(count - used), from_rate, to_rate));
      output.resize(before + room);
      const soxr_error_t error =
          soxr_process(handle.get(), input == nullptr ? nullptr : input + used, count - used,
                       &taken, output.data() + before, room, &made);
      TIMBRE_CHECK(error == nullptr);
      output.resize(before + made);
      used += taken;
      if (made < room && used == count) return;
    }
  }

  int from_rate;
  int to_rate;
  std::int64_t pushed = 0;               // samples in
  std::int64_t emitted = 0;              // samples out
  std::unique_ptr<soxr, Delete> handle;  // none where the rates agree
};

StreamResampler::StreamResampler(int from_rate, int to_rate)
    : state_(std::make_unique<State>(from_rate, to_rate)) {}
StreamResampler::~StreamResampler() = default;
StreamResampler::StreamResampler(StreamResampler&&) noexcept = default;
StreamResampler& StreamResampler::operator=(StreamResampler&&) noexcept = default;

void StreamResampler::Push(std::span<const float> input, std::vector<float>& output) {
  if (input.empty()) return;
  if (state_->handle == nullptr) {
    output.insert(output.end(), input.begin(), input.end());
    return;
  }
  const std::size_t before = output.size();
  state_->Process(input.data(), input.size(), output);
  state_->pushed += static_cast<std::int64_t>(input.size());
  state_->emitted += static_cast<std::int64_t>(output.size() - before);
}

void StreamResampler::Finish(std::vector<float>& output) {
  if (state_->handle == nullptr) return;
  const std::size_t before = output.size();
  state_->Process(nullptr, 0, output);
  // soxr may round the length down; the promise is the next whole sample.
  const std::int64_t wanted = OutputLength(state_->pushed, state_->from_rate, state_->to_rate);
  output.resize(before +
                static_cast<std::size_t>(std::max<std::int64_t>(0, wanted - state_->emitted)));
  state_->pushed = 0;
  state_->emitted = 0;
  TIMBRE_CHECK(soxr_clear(state_->handle.get()) == nullptr);
}

std::vector<float> Resample(std::span<const float> samples, int from_rate, int to_rate) {
  std::vector<float> output;
  StreamResampler resampler(from_rate, to_rate);
  resampler.Push(samples, output);
  resampler.Finish(output);
  return output;
}

Waveform Resample(const Waveform& waveform, int to_rate) {
  return {to_rate, Resample(waveform.samples, waveform.sample_rate, to_rate)};
}

}  // namespace timbre::audio
