// Putting pieces of sound together so that the joins cannot be heard, and measuring that they
// cannot. Functions may run on any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace timbre::audio {

// Appends `next` to `sound`, the last `overlap` samples of one fading (raised cosine) into the
// first of the other. The overlap is cut to what both have.
void AppendCrossFaded(std::vector<float>& sound, std::span<const float> next, std::size_t overlap);

// Fades the first or last `length` samples (all, when there are fewer) from or to nothing.
void FadeIn(std::span<float> samples, std::size_t length);
void FadeOut(std::span<float> samples, std::size_t length);

// How much a join stands out: the step from sample join-1 to sample join, over the largest step
// within 20 ms on either side. Above 3 it may be heard as a click. 0 where nothing moves.
double JoinClick(std::span<const float> samples, std::size_t join, int sample_rate);

}  // namespace timbre::audio
