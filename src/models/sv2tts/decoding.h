// What the autoregressive mel decoders of this folder share: how to decode one utterance, and why
// it ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "models/sv2tts/prenet_dropout.h"
#include "nn/recurrent.h"
#include "nn/tensor.h"

namespace timbre::models {

struct DecodeOptions {
  PrenetDropout encoder_dropout = PrenetDropout::Off();  // of encoders that have a prenet
  PrenetDropout decoder_dropout = PrenetDropout::Off();
  float stop_threshold = 0.5F;  // of the stop (gate) probability
  int max_frames = 0;           // 0: the official limit of the model
  // Ends when attention has rested on the last symbol for this many steps: the stop signal of
  // a trained network can fail (endless endings). 0: never.
  int rest_limit = 40;
  int style = -1;  // of MockingBird: a style token's number, or -1: from the speaker

  // What speaking uses: dropout on, drawn from `seed`.
  static DecodeOptions Seeded(std::uint64_t seed);
};

enum class StopReason { kNone, kStopSignal, kMaxFrames, kRested };

// Checks of what both encoders take. Errors: no_symbols, symbol_unknown, speaker_embedding_size.
Result<void> CheckSymbols(std::span<const std::int32_t> ids, int symbols);
Result<void> CheckSpeaker(std::span<const float> speaker, int speaker_size);

// The same values behind every row: [rows, cols] -> [rows, cols + values].
nn::Tensor AppendToRows(const nn::Tensor& x, std::span<const float> values);

float Probability(float logit);  // the logistic function

// Several utterances as rows of one batch: each keeps its own state of one row, which is copied
// into the batch's and back. `member` gives an utterance's tensor.
template <typename Group, typename Member>
void GatherRows(const Group& group, Member member, nn::Tensor& batch) {
  std::int64_t row = 0;
  for (auto* one : group) {
    const nn::Tensor& source = member(*one);
    if (row == 0) batch.Reshape(static_cast<std::int64_t>(group.size()), source.cols());
    std::ranges::copy(source.row(0), batch.row(row++).begin());
  }
}

template <typename Group, typename Member>
void ScatterRows(const nn::Tensor& batch, const Group& group, Member member) {
  std::int64_t row = 0;
  for (auto* one : group) {
    nn::Tensor& target = member(*one);
    target.Reshape(1, batch.cols());
    std::ranges::copy(batch.row(row++), target.row(0).begin());
  }
}

template <typename Group, typename Generation>
void GatherLstm(const Group& group, nn::Lstm::State Generation::*member, nn::Lstm::State& batch) {
  GatherRows(
      group, [member](Generation & one) -> auto& { return (one.*member).h; }, batch.h);
  GatherRows(
      group, [member](Generation & one) -> auto& { return (one.*member).c; }, batch.c);
}

template <typename Group, typename Generation>
void ScatterLstm(const nn::Lstm::State& batch, const Group& group,
                 nn::Lstm::State Generation::*member) {
  ScatterRows(
      batch.h, group, [member](Generation & one) -> auto& { return (one.*member).h; });
  ScatterRows(
      batch.c, group, [member](Generation & one) -> auto& { return (one.*member).c; });
}

}  // namespace timbre::models
