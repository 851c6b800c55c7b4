#include "text/mandarin/tag_model.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "text/mandarin/dictionary_file.h"
#include "text/mandarin/segmenter.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr double kUnlikely = -3.14e100;  // the published files' own "never"
constexpr std::size_t kMostStates = 1024;

// Calls `take` with every line that is not empty and no comment; stops at its first error.
template <typename Take>
Result<void> ForEachLine(const std::filesystem::path& path, Take take) {
  TIMBRE_ASSIGN(const std::string content, ReadDictionary(path));
  for (std::string_view rest = content; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (!take(line)) return BrokenDictionary(path, "has a line of another form");
  }
  return {};
}

bool ReadNumber(std::string_view text, double* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

// Splits at the first `mark`; false where there is none.
bool SplitAt(std::string_view text, char mark, std::string_view* left, std::string_view* right) {
  const std::size_t at = text.find(mark);
  if (at == text.npos) return false;
  *left = text.substr(0, at);
  *right = text.substr(at + 1);
  return true;
}

// The one character of a UTF-8 text, or 0.
char32_t OnlyCharacter(std::string_view text) {
  const std::u32string characters = Decode(text);
  return characters.size() == 1 ? characters[0] : 0;
}

}  // namespace

TagModel::State TagModel::StateOf(std::string_view name) {
  const auto [place, added] =
      numbers_.try_emplace(std::string(name), static_cast<State>(names_.size()));
  if (added) names_.emplace_back(name);
  return place->second;
}

Result<TagModel> TagModel::Load(const std::filesystem::path& folder) {
  TagModel model;
  const std::filesystem::path start = folder / "prob_start.utf8";
  TIMBRE_TRY(ForEachLine(start, [&](std::string_view line) {  // "B,a:-4.76"
    std::string_view name, number;
    double value = 0.0;
    if (!SplitAt(line, ':', &name, &number) || !ReadNumber(number, &value)) return false;
    if (model.StateOf(name) != model.start_.size()) return false;
    model.start_.push_back(value);
    if (name.starts_with('S'))
      model.singles_.push_back(static_cast<State>(model.start_.size() - 1));
    return model.start_.size() <= kMostStates;
  }));
  if (model.singles_.empty()) return BrokenDictionary(start, "has no states");
  model.next_.assign(model.start_.size(), std::vector<double>(model.start_.size(), kImpossible));
  model.goes_on_.assign(model.start_.size(), false);
  TIMBRE_TRY(model.ReadTransitions(folder / "prob_trans.utf8"));
  TIMBRE_TRY(model.ReadStates(folder / "char_state_tab.utf8"));
  TIMBRE_TRY(model.ReadEmissions(folder / "prob_emit.utf8"));
  return model;
}

Result<void> TagModel::ReadTransitions(const std::filesystem::path& path) {
  return ForEachLine(path, [&](std::string_view line) {  // "B,ad:E,ad:-0.0007"
    std::string_view from, rest, to, number;
    double value = 0.0;
    if (!SplitAt(line, ':', &from, &rest) || !SplitAt(rest, ':', &to, &number)) return false;
    if (!ReadNumber(number, &value)) return false;
    const auto first = numbers_.find(std::string(from));
    const auto second = numbers_.find(std::string(to));
    if (first == numbers_.end() || second == numbers_.end()) return false;
    next_[first->second][second->second] = value;
    goes_on_[first->second] = true;
    return true;
  });
}

Result<void> TagModel::ReadStates(const std::filesystem::path& path) {
  return ForEachLine(path, [&](std::string_view line) {  // "耀:E,v;M,nr;"
    std::string_view letter, list, name;
    if (!SplitAt(line, ':', &letter, &list)) return false;
    const char32_t c = OnlyCharacter(letter);
    if (c == 0) return false;
    std::vector<State>& states = states_[c];
    while (SplitAt(list, ';', &name, &list)) {
      const auto state = numbers_.find(std::string(name));
      if (state == numbers_.end()) return false;
      states.push_back(state->second);
    }
    return list.empty();
  });
}

Result<void> TagModel::ReadEmissions(const std::filesystem::path& path) {
  return ForEachLine(path, [&](std::string_view line) {  // "B,ad:突,-2.7;肃,-10.2;"
    std::string_view name, list, item, letter, number;
    if (!SplitAt(line, ':', &name, &list)) return false;
    const auto state = numbers_.find(std::string(name));
    if (state == numbers_.end()) return false;
    while (SplitAt(list, ';', &item, &list)) {
      double value = 0.0;
      if (!SplitAt(item, ',', &letter, &number) || !ReadNumber(number, &value)) return false;
      const char32_t c = OnlyCharacter(letter);
      if (c == 0) return false;
      emissions_[c].push_back({state->second, value});
    }
    return list.empty();
  });
}

const std::vector<TagModel::State>& TagModel::Candidates(char32_t c) const {
  const auto known = states_.find(c);
  if (known != states_.end()) return known->second;
  return singles_;
}

double TagModel::Emit(State state, char32_t c) const {
  const auto known = emissions_.find(c);
  if (known == emissions_.end()) return kUnlikely;
  for (const Emission& emission : known->second) {
    if (emission.state == state) return emission.log_probability;
  }
  return kUnlikely;
}

// Viterbi. A step keeps the states the character may have that can follow one of the step before;
// where there are none, all that can follow.
std::vector<TagModel::State> TagModel::Best(std::u32string_view characters) const {
  std::vector<std::vector<Path>> steps(characters.size());
  for (const State state : Candidates(characters[0])) {
    steps[0].push_back({state, start_[state] + Emit(state, characters[0]), 0});
  }
  for (std::size_t t = 1; t < characters.size(); ++t) {
    const std::vector<Path>& before = steps[t - 1];
    const auto extend = [&](State state) {
      Path best{state, kImpossible, 0};
      bool reachable = false;
      const double emitted = Emit(state, characters[t]);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double step = next_[before[i].state][state];
        if (step == kImpossible) continue;
        const double score = before[i].score + step + emitted;
        if (!reachable || score > best.score) best = {state, score, i};
        reachable = true;
      }
      if (reachable) steps[t].push_back(best);
    };
    for (const State state : Candidates(characters[t])) extend(state);
    if (steps[t].empty()) {
      for (std::size_t i = 0; i < names_.size(); ++i) extend(static_cast<State>(i));
    }
    if (steps[t].empty()) {  // nothing follows any of them: begin again here
      for (const State state : Candidates(characters[t])) {
        steps[t].push_back({state, start_[state], 0});
      }
    }
  }
  std::size_t at = 0;
  for (std::size_t i = 1; i < steps.back().size(); ++i) {
    if (steps.back()[i].score > steps.back()[at].score) at = i;
  }
  std::vector<State> states(characters.size());
  for (std::size_t t = characters.size(); t-- > 0;) {
    states[t] = steps[t][at].state;
    at = steps[t][at].from;
  }
  return states;
}

std::vector<CutWord> TagModel::Cut(std::u32string_view characters) const {
  const std::vector<State> states = Best(characters);
  std::vector<CutWord> words;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const std::string& name = names_[states[i]];
    if (name[0] == 'B') begin = i;
    const bool last = i + 1 == characters.size();
    if (name[0] == 'S' || name[0] == 'E' || last) {
      if (name[0] == 'S') begin = i;
      words.push_back(
          {begin, i + 1 - begin, name.substr(std::min<std::size_t>(2, name.size())), false});
      begin = i + 1;
    }
  }
  return words;
}

}  // namespace timbre::text::mandarin
