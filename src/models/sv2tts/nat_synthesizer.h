// Our own synthesizer: symbols and a speaker embedding -> mel spectrogram, by a decoder that is
// driven by durations instead of attention, so that nothing is skipped or repeated (Shen et al.,
// "Non-Attentive Tacotron", 2020; sizes and names as in training/). Mels are [frames, bins] in
// config().mel.
//
//   Encode   symbols + speaker embedding -> encoder rows, log durations
//   Durations                            -> frames of every symbol
//   Step     one frame of every utterance in a batch (NatDecoderState, one per utterance)
//   Postnet  raw frames -> finished mel, streamed; waits for kNatPostnetLookahead frames
//
// The model is const and shared by any number of threads; a state belongs to one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "models/sv2tts/nat_config.h"
#include "nn/conv1d.h"
#include "nn/linear.h"
#include "nn/precision.h"
#include "nn/random.h"
#include "nn/recurrent.h"
#include "nn/stream.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

inline constexpr int kNatPostnetLayers = 5;
inline constexpr int kNatPostnetLookahead = 10;  // frames: two per layer
// Longer utterances are cut (about a minute; a sentence has some 300).
inline constexpr std::int64_t kNatMaxFrames = 6000;

struct NatEncoding {
  nn::Tensor encoder;                // [symbols, encoded]
  std::vector<float> log_durations;  // [symbols], log(1 + frames)
};

// What the decoder remembers of one utterance.
struct NatDecoderState {
  nn::Tensor encoder;                   // [symbols, encoded]
  std::vector<std::int32_t> durations;  // [symbols], frames
  std::size_t symbol = 0;               // whose frames come next
  std::int32_t position = 0;            // frame within that symbol
  std::int64_t frames = 0;              // made so far
  nn::Lstm::State dec_l0, dec_l1;       // [1, decoder_lstm]
  std::vector<float> previous;          // [bins], the last frame; zeros at the start
  nn::Random dropout{0};                // of the prenet
  bool use_dropout = true;              // off for comparisons only

  bool finished() const { return symbol >= durations.size(); }
};

class NatSynthesizer {
 public:
  struct PostnetState {
    nn::Conv1d::State post[kNatPostnetLayers];
    nn::RowQueue residual;
  };

  // `precision` is that of the heavy layers. Errors: the reader's, naming the tensor.
  static Result<std::shared_ptr<const NatSynthesizer>> Load(const nn::WeightReader& weights,
                                                            const NatConfig& config,
                                                            nn::Precision precision);

  const NatConfig& config() const { return config_; }

  // Errors (kInvalidArgument): symbol_unknown for an id outside the table or no ids at all;
  // speaker_embedding_size for an embedding of the wrong size.
  Result<NatEncoding> Encode(std::span<const std::int32_t> ids,
                             std::span<const float> speaker_embedding) const;  // [256]

  // Frames per symbol: exp(x) - 1, over `speed`, rounded, not negative; one at least where
  // `audible` (empty: nowhere) says so. `cut` (may be null) tells that kNatMaxFrames ended it.
  static std::vector<std::int32_t> Durations(std::span<const float> log_durations,
                                             std::span<const std::uint8_t> audible, float speed,
                                             bool* cut);

  // The state before the first frame.
  NatDecoderState Start(NatEncoding encoding, std::vector<std::int32_t> durations,
                        std::uint64_t seed) const;

  // One step of every state (none may be finished, none may occur twice): raw frames [states,
  // bins].
  void Step(std::span<NatDecoderState* const> states, nn::Tensor& frames) const;

  // Takes raw frames [any, bins] and gives the mel [rows, bins] that is now known (resized).
  void Postnet(PostnetState& state, const nn::Tensor& frames, bool last, nn::Tensor& mel) const;

 private:
  NatSynthesizer(nn::WeightReader reader, const NatConfig& config, nn::Precision precision);

  NatConfig config_;
  nn::Weight emb_;               // [symbols, embedding]
  std::vector<nn::Conv1d> enc_;  // with their batch norms
  nn::Lstm el_, el_reverse_;
  nn::Linear spk_;
  nn::Lstm dp_, dp_reverse_;
  nn::Linear do_;
  nn::Linear pre_0_, pre_3_;
  nn::Lstm dec_l0_, dec_l1_;
  nn::Linear out_;
  std::vector<nn::Conv1d> post_;
  std::vector<float> mel_mean_, mel_std_;  // [bins]
};

}  // namespace timbre::models
