#include "text/english/pronouncing_dictionary.h"

#include <bit>

namespace timbre::text {
namespace {

std::uint64_t Hash(std::string_view word) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash ^ hash >> 29;
}

std::string_view LineAt(std::string_view text, std::size_t start) {
  const std::size_t end = text.find('\n', start);
  return text.substr(start, end == std::string_view::npos ? end : end - start);
}

std::string_view HeadOf(std::string_view line) { return line.substr(0, line.find(' ')); }

}  // namespace

std::string_view PronouncingDictionary::text() const {
  return {reinterpret_cast<const char*>(file_.bytes().data()), file_.bytes().size()};
}

// The slot that holds the word, or the free one where it would be.
std::size_t PronouncingDictionary::Slot(std::string_view word) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = Hash(word) & mask;
  while (slots_[slot] != 0 && HeadOf(LineAt(text(), slots_[slot] - 1)) != word) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

Result<PronouncingDictionary> PronouncingDictionary::Load(const std::filesystem::path& path) {
  auto file = MappedFile::Open(path);
  if (!file) {
    return Fail(ErrorCode::kNotFound, "dictionary_missing",
                "The pronouncing dictionary {} cannot be read.", path.string());
  }
  PronouncingDictionary dictionary(*std::move(file));
  const std::string_view text = dictionary.text();
  // A line has at least 20 bytes on average, so the table stays at most half full.
  dictionary.slots_.resize(std::bit_ceil(text.size() / 10 + 16));
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = LineAt(text, at);
    const std::string_view word = HeadOf(line);
    const bool variant = word.ends_with(')');
    if (!word.empty() && word.size() < line.size() && !variant) {
      const std::size_t slot = dictionary.Slot(word);
      if (dictionary.slots_[slot] == 0) {
        dictionary.slots_[slot] = static_cast<std::uint32_t>(at + 1);
        ++dictionary.words_;
        if (dictionary.words_ * 2 > dictionary.slots_.size()) {
          return Fail(ErrorCode::kCorrupt, "dictionary_broken",
                      "The pronouncing dictionary {} has lines that are too short.", path.string());
        }
      }
    }
    at += line.size() + 1;
  }
  if (dictionary.words_ == 0) {
    return Fail(ErrorCode::kCorrupt, "dictionary_broken",
                "The pronouncing dictionary {} has no words.", path.string());
  }
  return dictionary;
}

std::optional<std::string_view> PronouncingDictionary::Find(std::string_view word) const {
  const std::uint32_t place = slots_[Slot(word)];
  if (place == 0) return std::nullopt;
  std::string_view line = LineAt(text(), place - 1);
  line.remove_prefix(word.size());
  line = line.substr(0, line.find('#'));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return line;
}

std::vector<std::string> SplitPhones(std::string_view phones) {
  std::vector<std::string> out;
  while (!phones.empty()) {
    const std::size_t space = phones.find(' ');
    if (space != 0) out.emplace_back(phones.substr(0, space));
    if (space == std::string_view::npos) break;
    phones.remove_prefix(space + 1);
  }
  return out;
}

}  // namespace timbre::text
