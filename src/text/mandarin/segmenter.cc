#include "text/mandarin/segmenter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "text/mandarin/dictionary_file.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

// Byte offset of every character of `run` in its UTF-8 spelling, and of its end.
std::vector<std::size_t> Offsets(std::u32string_view run, std::string* spelled) {
  std::vector<std::size_t> offsets;
  offsets.reserve(run.size() + 1);
  for (const char32_t c : run) {
    offsets.push_back(spelled->size());
    AppendUtf8(c, spelled);
  }
  offsets.push_back(spelled->size());
  return offsets;
}

}  // namespace

Result<Segmenter> Segmenter::Load(const std::filesystem::path& folder) {
  Segmenter segmenter;
  TIMBRE_ASSIGN(segmenter.model_, TagModel::Load(folder / "pos_dict"));
  const std::filesystem::path path = folder / "jieba.dict.utf8";
  TIMBRE_ASSIGN(const std::string content, ReadDictionary(path));
  segmenter.entries_.reserve(400000);
  double total = 0.0;
  WordTable tag_numbers(64);
  for (std::string_view rest = content; !rest.empty();) {  // "word count tag"
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    const std::size_t first = line.find(' ');
    const std::size_t second = first == line.npos ? line.npos : line.find(' ', first + 1);
    if (second == line.npos) return BrokenDictionary(path, "has a line without count or tag");
    Entry entry{};
    const auto [end, error] =
        std::from_chars(line.data() + first + 1, line.data() + second, entry.count);
    if (error != std::errc() || end != line.data() + second) {
      return BrokenDictionary(path, "has a count that is no number");
    }
    std::string_view tag = line.substr(second + 1);
    if (tag.ends_with('\r')) tag.remove_suffix(1);
    const auto known = tag_numbers.Find(tag);
    entry.tag = static_cast<std::uint8_t>(known.value_or(segmenter.tags_.size()));
    if (!known) {
      if (segmenter.tags_.size() == 255) return BrokenDictionary(path, "has too many tags");
      tag_numbers.Insert(tag, entry.tag);
      segmenter.tags_.emplace_back(tag);
    }
    segmenter.words_.Insert(line.substr(0, first),
                            static_cast<std::uint32_t>(segmenter.entries_.size()));
    segmenter.entries_.push_back(entry);
    total += entry.count;
  }
  if (total <= 0.0) return BrokenDictionary(path, "has no words");
  segmenter.log_total_ = std::log(total);
  return segmenter;
}

const Segmenter::Entry* Segmenter::Find(std::string_view word) const {
  const auto index = words_.Find(word);
  return index ? &entries_[*index] : nullptr;
}

std::string Segmenter::TagOf(std::u32string_view word) const {
  const Entry* entry = Find(Encode(word));
  return entry == nullptr ? "x" : tags_[entry->tag];
}

bool Segmenter::Knows(std::u32string_view word) const { return Find(Encode(word)) != nullptr; }

std::vector<CutWord> Segmenter::Cut(std::u32string_view run) const {
  std::string spelled;
  const std::vector<std::size_t> offsets = Offsets(run, &spelled);
  const std::size_t count = run.size();

  // From the end: the best score of the rest from each character, and where its first word ends.
  std::vector<double> score(count + 1, 0.0);
  std::vector<std::size_t> word_end(count, 0);
  for (std::size_t at = count; at-- > 0;) {
    score[at] = -std::numeric_limits<double>::infinity();
    for (std::size_t end = at + 1; end <= count; ++end) {
      const std::size_t bytes = offsets[end] - offsets[at];
      if (end > at + 1 && bytes > words_.longest()) break;
      const Entry* entry = Find(std::string_view(spelled).substr(offsets[at], bytes));
      if (entry == nullptr && end > at + 1) continue;
      const double occurrences = entry == nullptr || entry->count == 0 ? 1.0 : entry->count;
      const double total = std::log(occurrences) - log_total_ + score[end];
      if (total >= score[at]) {
        score[at] = total;
        word_end[at] = end;
      }
    }
  }

  std::vector<CutWord> words;
  const auto flush_singles = [&](std::size_t begin, std::size_t end) {
    const std::u32string_view singles = run.substr(begin, end - begin);
    if (singles.size() > 1 && !Knows(singles)) {
      for (CutWord& word : model_.Cut(singles)) {
        word.listed = Knows(singles.substr(word.begin, word.length));
        word.begin += begin;
        words.push_back(std::move(word));
      }
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      words.push_back({i, 1, TagOf(run.substr(i, 1)), Knows(run.substr(i, 1))});
    }
  };
  std::size_t singles_begin = 0;
  for (std::size_t at = 0; at < count; at = word_end[at]) {
    if (word_end[at] - at == 1) continue;
    flush_singles(singles_begin, at);
    singles_begin = word_end[at];
    const std::u32string_view word = run.substr(at, word_end[at] - at);
    words.push_back({at, word.size(), TagOf(word), true});
  }
  flush_singles(singles_begin, count);
  return words;
}

}  // namespace timbre::text::mandarin
