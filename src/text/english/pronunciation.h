// English words -> phones: overrides, homographs, our word list, CMUdict, inflected and compound
// forms of known words, and for the rest the net for unknown words, whose answers are kept. May be
// shared by threads; only the store of answers changes, under its own lock.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/analysis.h"
#include "text/english/grapheme_net.h"
#include "text/english/homographs.h"
#include "text/english/pronouncing_dictionary.h"
#include "text/overrides.h"

namespace timbre::text {

using PhoneNames = std::vector<std::string>;

class Pronunciation {
 public:
  Pronunciation(PronouncingDictionary dictionary, GraphemeNet net, Homographs homographs);

  // See English::Analyze.
  std::vector<Word> Read(std::string_view normalised, const Overrides& overrides,
                         std::vector<std::string>* skipped) const;

  const PronouncingDictionary& dictionary() const { return dictionary_; }

 private:
  PhoneNames ReadWord(std::span<const std::string> sentence, std::size_t at,
                      const Overrides& overrides) const;
  // The word from the lists or by its parts; nothing when no part of it is known.
  std::optional<PhoneNames> Known(std::string_view word, int depth) const;
  std::optional<PhoneNames> Contraction(std::string_view word, int depth) const;
  std::optional<PhoneNames> Inflected(std::string_view word, int depth) const;
  std::optional<PhoneNames> Derived(std::string_view word, int depth) const;
  std::optional<PhoneNames> Compound(std::string_view word) const;
  PhoneNames Unknown(std::string_view word) const;

  struct Store {
    std::mutex mutex;
    std::unordered_map<std::string, PhoneNames> answers;
  };

  PronouncingDictionary dictionary_;
  GraphemeNet net_;
  Homographs homographs_;
  std::unique_ptr<Store> store_ = std::make_unique<Store>();
};

// The phones that an override gives for an English word: ARPAbet as written, or the reading of one
// plain respelling. Nothing when it is neither.
bool IsEnglishReading(const std::vector<std::string>& reading);

}  // namespace timbre::text
