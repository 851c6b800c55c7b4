#include "audio/voice_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace timbre::audio {
namespace {

struct Group {
  int windows = 0;
  std::vector<double> sum;  // [size], of the members' embeddings
};

double Cosine(const Group& a, const Group& b) {
  double ab = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < a.sum.size(); ++i) {
    ab += a.sum[i] * b.sum[i];
    aa += a.sum[i] * a.sum[i];
    bb += b.sum[i] * b.sum[i];
  }
  const double norm = std::sqrt(aa * bb);
  return norm > 0.0 ? ab / norm : 0.0;
}

}  // namespace

VoiceCount CountVoices(std::span<const float> embeddings, std::int64_t windows, std::int64_t size,
                       const VoiceCountRules& rules) {
  TIMBRE_CHECK(static_cast<std::int64_t>(embeddings.size()) == windows * size);
  std::vector<Group> groups;
  for (std::int64_t i = 0; i < windows; ++i) {
    const auto row =
        embeddings.subspan(static_cast<std::size_t>(i * size), static_cast<std::size_t>(size));
    groups.push_back({1, {row.begin(), row.end()}});
  }
  // [group][group], kept up to date row by row as groups join.
  std::vector<std::vector<double>> cosines(groups.size(), std::vector<double>(groups.size()));
  const auto compare = [&](std::size_t a) {
    for (std::size_t b = 0; b < groups.size(); ++b) {
      cosines[a][b] = cosines[b][a] = Cosine(groups[a], groups[b]);
    }
  };
  for (std::size_t i = 0; i < groups.size(); ++i) compare(i);

  while (groups.size() > 1) {
    std::size_t best_a = 0, best_b = 1;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        if (cosines[a][b] > cosines[best_a][best_b]) best_a = a, best_b = b;
      }
    }
    if (cosines[best_a][best_b] < rules.same_voice_cosine) break;
    groups[best_a].windows += groups[best_b].windows;
    for (std::size_t i = 0; i < groups[best_a].sum.size(); ++i) {
      groups[best_a].sum[i] += groups[best_b].sum[i];
    }
    const auto at = static_cast<std::ptrdiff_t>(best_b);
    groups.erase(groups.begin() + at);
    cosines.erase(cosines.begin() + at);
    for (auto& row : cosines) row.erase(row.begin() + at);
    compare(best_a);
  }

  VoiceCount count;
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].windows < rules.min_windows) continue;
    ++count.voices;
    for (std::size_t b = 0; b < a; ++b) {
      if (groups[b].windows < rules.min_windows) continue;
      count.lowest_cosine = std::min(count.lowest_cosine, cosines[a][b]);
    }
  }
  // A recording of one or two windows is one voice even where they differ.
  if (count.voices == 0 && windows > 0) count.voices = 1;
  return count;
}

std::optional<Warning> SeveralVoicesWarning(const VoiceCount& count) {
  if (count.voices < 2) return std::nullopt;
  return Warning{"audio_several_voices",
                 fmt::format("There is more than one voice in the recording ({} were told apart): "
                             "the copy will be a mixture of them.",
                             count.voices)};
}

}  // namespace timbre::audio
