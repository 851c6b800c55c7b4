// The synthesizer of Real-Time-Voice-Cloning (https://github.com/CorentinJ/Real-Time-Voice-Cloning,
// a Tacotron 1 form: Wang et al. 2017) and of MockingBird (the same with global style tokens):
// symbols and a speaker embedding to 80-bin mel frames on the scale -4..4, 16 kHz, r frames per
// step. Sizes and r are the checkpoint's own.
//
// The model is const and shared; a Generation is one utterance's state, used by one thread at a
// time. Different utterances may be stepped together as rows of one batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "models/mel_format.h"
#include "models/sv2tts/cbhg.h"
#include "models/sv2tts/decoding.h"
#include "models/sv2tts/location_attention.h"
#include "models/sv2tts/silence_trim.h"
#include "nn/precision.h"
#include "nn/recurrent.h"
#include "nn/tensor.h"
#include "nn/weights.h"

namespace timbre::models {

// Which text front end a checkpoint was trained with; the rows of its symbol table tell.
enum class RtvcSymbols {
  kEnglish66,      // Real-Time-Voice-Cloning
  kMockingBird75,  // MockingBird: pinyin with tone numbers
  kMockingBird70,  // its older table
};

class RtvcSynthesizer {
 public:
  static constexpr int kMaxFrames = 2000;  // the official limit
  static constexpr int kMinFrames = 10;    // no stop signal counts before this frame

  using Encoded = LocationAttention::Memory;

  struct Generation {
    Encoded encoded;
    DecodeOptions options;
    LocationAttention::State attention;
    nn::Gru::State attn_rnn;  // one row, as the next two
    nn::Lstm::State res_rnn1, res_rnn2;
    nn::Tensor context;                      // [1, width]
    nn::Tensor frames;                       // [r, mel]: of the newest step
    float stop_logit = 0.0F;                 // of the newest step
    int frame_count = 0;                     // so far
    StopReason stopped = StopReason::kNone;  // the newest step is the last when set
  };

  struct PostnetState {
    Cbhg::State cbhg;
    int future = Cbhg::kWholeSegment;
  };

  // `checkpoint`: the state dictionary. Errors: a tensor that is missing or has another shape
  // (nn::WeightReader), with the likely cause; wrong_shape, unknown_symbol_set.
  static Result<std::shared_ptr<const RtvcSynthesizer>> Load(
      const nn::WeightReader& checkpoint, nn::Precision precision = nn::Precision::kF32);
  ~RtvcSynthesizer();

  RtvcSymbols symbol_set() const;
  int symbols() const;  // ids are 0..symbols-1, 0 is padding
  int speaker_size() const;
  int style_tokens() const;  // 0: no style tokens
  int mel_bins() const;
  int frames_per_step() const;  // r
  float silence_level() const;  // trailing frames below are cut: SilenceTrim
  // hop: Real-Time-Voice-Cloning's 200, or what a MockingBird config file says.
  MelFormat mel_format(int hop = 200) const;

  // ids [symbols], at least one; speaker [speaker_size]. Uses options' encoder_dropout and style.
  // Errors: no_symbols, symbol_unknown, speaker_embedding_size, unknown_style (kInvalidArgument).
  Result<Encoded> Encode(std::span<const std::int32_t> ids, std::span<const float> speaker,
                         DecodeOptions& options) const;
  Generation Start(Encoded encoded, DecodeOptions options) const;
  // r more frames for each utterance; none may have stopped.
  void Step(std::span<Generation* const> group) const;

  // Decoder frames [time, mel] -> refined frames. The official result needs the whole segment:
  // with kWholeSegment all comes out with `last`. With `future` frames (20-40) a stream comes out
  // that much later, and approximately (models/sv2tts/cbhg.h).
  PostnetState StartPostnet(int future = Cbhg::kWholeSegment) const;
  void Postnet(PostnetState& state, const nn::Tensor& mel, bool last, nn::Tensor& out) const;

  // The text CBHG's output without speaker and style, [symbols, encoder width].
  nn::Tensor RunEncoder(std::span<const std::int32_t> ids, PrenetDropout& dropout) const;
  // MockingBird's style vector; empty without style tokens.
  Result<std::vector<float>> Style(int token, std::span<const float> speaker) const;

 private:
  struct Layers;
  explicit RtvcSynthesizer(std::unique_ptr<const Layers> layers);
  std::unique_ptr<const Layers> layers_;
};

}  // namespace timbre::models
