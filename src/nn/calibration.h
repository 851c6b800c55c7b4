// Ranges of the inputs of int8 layers. An int8 layer scales its input by the largest magnitude it
// expects: known beforehand (calibrated, constant, the default for vocoders) or measured anew at
// every call (dynamic; then streamed and whole outputs differ by the rounding).
//
//   ActivationRanges ranges;
//   { RecordRanges scope(ranges); f32_model.Run(...); }       // f32 layers note their inputs
//   Conv1d conv(weight, bias, {.precision = kInt8, .name = "ups.0", .input_range =
//   ranges.Find("ups.0")});
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace timbre::nn {

// Layer name -> largest |input| seen. Value type.
class ActivationRanges {
 public:
  // Raises the range of `layer` to at least `max_abs`.
  void Raise(std::string_view layer, float max_abs);
  // 0 (meaning: measure at run time) when the layer is not known.
  float Find(std::string_view layer) const;
  const std::map<std::string, float, std::less<>>& all() const { return ranges_; }

 private:
  std::map<std::string, float, std::less<>> ranges_;
};

// While one lives, named layers that run on this thread note the range of their inputs in it.
// Innermost wins.
class RecordRanges {
 public:
  explicit RecordRanges(ActivationRanges& ranges);
  ~RecordRanges();
  RecordRanges(const RecordRanges&) = delete;
  RecordRanges& operator=(const RecordRanges&) = delete;

 private:
  ActivationRanges* outer_;
};

}  // namespace timbre::nn
