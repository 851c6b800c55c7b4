// Sample rate conversion with soxr's HQ recipe, equal to librosa's res_type="soxr_hq". Rates are in
// Hz, 1 to 768000. An object belongs to one thread at a time; the function may run on any.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "audio/waveform.h"

namespace timbre::audio {

// The whole signal: ceil(samples * to / from) samples come out.
std::vector<float> Resample(std::span<const float> samples, int from_rate, int to_rate);
Waveform Resample(const Waveform& waveform, int to_rate);

// The same, piece by piece: the pieces put together equal the whole (soxr delays the output by
// its filter, so early calls may append nothing).
class StreamResampler {
 public:
  StreamResampler(int from_rate, int to_rate);
  ~StreamResampler();
  StreamResampler(StreamResampler&&) noexcept;
  StreamResampler& operator=(StreamResampler&&) noexcept;

  // Appends to `output` what `input` makes available.
  void Push(std::span<const float> input, std::vector<float>& output);
  // Appends the rest; afterwards the object is at its start again.
  void Finish(std::vector<float>& output);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace timbre::audio
