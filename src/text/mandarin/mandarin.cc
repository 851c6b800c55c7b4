#include "text/mandarin/mandarin.h"

#include "text/mandarin/normaliser.h"
#include "text/mandarin/pinyin_dictionary.h"
#include "text/mandarin/readings.h"
#include "text/mandarin/sandhi.h"
#include "text/mandarin/script.h"
#include "text/mandarin/segmenter.h"
#include "text/mandarin/syllable.h"
#include "text/marks.h"
#include "text/utf8.h"

namespace timbre::text {

using namespace mandarin;

namespace {

constexpr std::size_t kLongestRun = 400;  // characters without a mark that are cut as one

// Signs that part words and are never reported.
bool IsSilent(char32_t c) {
  static constexpr std::u32string_view kSilent = U" \t\n\r*#_`|\\/^&+=@$%()[]{}<>（）【】〔〕";
  return kSilent.find(c) != kSilent.npos || IsSilentMark(c);
}

Word MakeMark(char32_t c, char32_t mark) {
  Word word;
  word.language = Language::kMandarin;
  AppendUtf8(c, &word.text);
  word.phones.push_back(Encode(std::u32string_view(&mark, 1)));
  word.punctuation = true;
  return word;
}

// The word with its phones; characters without a reading go to `skipped`.
Word MakeWord(const Token& token, std::vector<std::string>* skipped) {
  Word word;
  word.language = Language::kMandarin;
  for (std::size_t i = 0; i < token.characters.size(); ++i) {
    const auto phones = SpellSyllable(token.pinyin[i]);
    std::string character;
    AppendUtf8(token.characters[i], &character);
    if (!phones) {
      if (skipped != nullptr) skipped->push_back(std::move(character));
      continue;
    }
    word.text += character;
    word.pinyin.push_back(token.pinyin[i]);
    word.phones.push_back(phones->initial);
    word.phones.push_back(phones->final);
    word.phones_per_character.push_back(2);
  }
  return word;
}

}  // namespace

struct Mandarin::Parts {
  ScriptConverter script;
  Segmenter segmenter;
  PinyinDictionary dictionary;

  // Calls take_run(first, run) for each stretch of Han characters and take_other(index, character)
  // for each character between.
  template <typename TakeRun, typename TakeOther>
  static void Split(std::u32string_view text, TakeRun take_run, TakeOther take_other) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && end - at < kLongestRun && IsHan(text[end])) ++end;
      if (end > at) {
        take_run(at, text.substr(at, end - at));
        at = end;
      } else {
        take_other(text[at]);
        ++at;
      }
    }
  }
};

Mandarin::Mandarin(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Mandarin::~Mandarin() = default;

Result<std::shared_ptr<const Mandarin>> Mandarin::Load(const MandarinPaths& paths) {
  TIMBRE_ASSIGN(ScriptConverter script, ScriptConverter::Load(paths.opencc_config));
  TIMBRE_ASSIGN(Segmenter segmenter, Segmenter::Load(paths.jieba_dictionaries));
  TIMBRE_ASSIGN(PinyinDictionary dictionary, PinyinDictionary::Load(paths.pypinyin_dictionaries));
  auto parts = std::make_unique<const Parts>(
      Parts{std::move(script), std::move(segmenter), std::move(dictionary)});
  return std::shared_ptr<const Mandarin>(new Mandarin(std::move(parts)));
}

std::string Mandarin::Normalize(std::string_view text) const {
  const std::string tidy = Encode(TidyCharacters(Decode(text)));
  return Encode(WriteOut(Decode(parts_->script.Simplify(tidy))));
}

std::vector<Word> Mandarin::Analyze(std::string_view normalised, const Overrides& overrides,
                                    std::vector<std::string>* skipped) const {
  const MandarinOverrides selected = SelectMandarin(overrides);
  std::vector<Word> words;
  Parts::Split(
      Decode(normalised),
      [&](std::size_t, std::u32string_view run) {
        std::vector<Token> tokens = ReadRun(run, parts_->segmenter, parts_->dictionary, selected);
        ApplySandhi(&tokens, parts_->segmenter);
        for (const Token& token : tokens) {
          Word word = MakeWord(token, skipped);
          if (!word.phones.empty()) words.push_back(std::move(word));
        }
      },
      [&](char32_t c) {
        if (const char32_t mark = PhoneMark(c); mark != 0) {
          words.push_back(MakeMark(c, mark));
        } else if (!IsSilent(c) && skipped != nullptr) {
          std::string character;
          AppendUtf8(c, &character);
          skipped->push_back(std::move(character));
        }
      });
  return words;
}

std::vector<std::string> Mandarin::PlainPinyin(std::string_view normalised,
                                               const Overrides& overrides) const {
  const MandarinOverrides selected = SelectMandarin(overrides);
  const std::u32string text = Decode(normalised);
  std::vector<std::string> pinyin(text.size());
  Parts::Split(
      text,
      [&](std::size_t first, std::u32string_view run) {
        std::size_t at = first;
        for (const Token& token : ReadRun(run, parts_->segmenter, parts_->dictionary, selected)) {
          for (const std::string& syllable : token.pinyin) pinyin[at++] = syllable;
        }
      },
      [](char32_t) {});
  return pinyin;
}

}  // namespace timbre::text
