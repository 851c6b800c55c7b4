#include "text/tacotron_symbols.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/tacotron_numbers.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

#define TIMBRE_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
constexpr std::string_view kRtvc = "_~" TIMBRE_LETTERS "!'\"(),-.:;? ";
constexpr std::string_view kNvidia = "_-!'(),.:;? " TIMBRE_LETTERS;  // ARPAbet follows
constexpr std::string_view kMockingBird75 = "_~" TIMBRE_LETTERS "1234567890!'(),-.:;? ";
constexpr std::string_view kMockingBird70 = "_~" TIMBRE_LETTERS "12340!'(),-.:;? ";
#undef TIMBRE_LETTERS
constexpr int kEnd = 1;  // "~", in the sets that have it

constexpr auto kArpabet = std::to_array<std::string_view>(
    {"AA",  "AA0", "AA1", "AA2", "AE",  "AE0", "AE1", "AE2", "AH",  "AH0", "AH1", "AH2",
     "AO",  "AO0", "AO1", "AO2", "AW",  "AW0", "AW1", "AW2", "AY",  "AY0", "AY1", "AY2",
     "B",   "CH",  "D",   "DH",  "EH",  "EH0", "EH1", "EH2", "ER",  "ER0", "ER1", "ER2",
     "EY",  "EY0", "EY1", "EY2", "F",   "G",   "HH",  "IH",  "IH0", "IH1", "IH2", "IY",
     "IY0", "IY1", "IY2", "JH",  "K",   "L",   "M",   "N",   "NG",  "OW",  "OW0", "OW1",
     "OW2", "OY",  "OY0", "OY1", "OY2", "P",   "R",   "S",   "SH",  "T",   "TH",  "UH",
     "UH0", "UH1", "UH2", "UW",  "UW0", "UW1", "UW2", "V",   "W",   "Y",   "Z",   "ZH"});

std::string_view Characters(TacotronSymbols set) {
  switch (set) {
    case TacotronSymbols::kRtvc:
      return kRtvc;
    case TacotronSymbols::kNvidia:
      return kNvidia;
    case TacotronSymbols::kMockingBird75:
      return kMockingBird75;
    case TacotronSymbols::kMockingBird70:
      return kMockingBird70;
  }
  return {};
}

bool IsMockingBird(TacotronSymbols set) {
  return set == TacotronSymbols::kMockingBird75 || set == TacotronSymbols::kMockingBird70;
}

void AddCharacters(TacotronSymbols set, std::string_view text, std::vector<int>* ids) {
  for (const char c : text) {
    const std::size_t place = Characters(set).find(c);
    if (place != std::string_view::npos && c != '_' && c != '~')
      ids->push_back(static_cast<int>(place));
  }
}

// "HH AW1 S" of a text in braces.
void AddArpabet(TacotronSymbols set, std::string_view phones, std::vector<int>* ids) {
  if (set != TacotronSymbols::kNvidia) return;
  const std::string spaced = CollapseSpaces(phones) + " ";
  for (std::size_t at = 0; at < spaced.size();) {
    const std::size_t end = spaced.find(' ', at);
    const auto* found = std::ranges::find(kArpabet, std::string_view(spaced).substr(at, end - at));
    if (found != kArpabet.end()) {
      ids->push_back(static_cast<int>(kNvidia.size()) + static_cast<int>(found - kArpabet.begin()));
    }
    at = end + 1;
  }
}

// Lower case and single spaces; everything that is not ASCII has no symbol anyway.
std::string CleanPinyin(std::string_view text) {
  std::string out = CollapseSpaces(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return static_cast<char>(ToLowerAscii(static_cast<unsigned char>(c)));
  });
  return out;
}

}  // namespace

int SymbolCount(TacotronSymbols set) {
  const std::size_t arpabet = set == TacotronSymbols::kNvidia ? kArpabet.size() : 0;
  return static_cast<int>(Characters(set).size() + arpabet);
}

Result<TacotronSymbols> SymbolsForEmbedding(int rows) {
  for (const TacotronSymbols set :
       {TacotronSymbols::kRtvc, TacotronSymbols::kNvidia, TacotronSymbols::kMockingBird75,
        TacotronSymbols::kMockingBird70}) {
    if (SymbolCount(set) == rows) return set;
  }
  return Fail(ErrorCode::kUnsupported, "unknown_symbol_set",
              "No known symbol set has {} symbols; known are 66, 70, 75 and 148.", rows);
}

std::vector<int> TacotronIds(TacotronSymbols set, std::string_view text, const HanSpelling& han) {
  const auto clean = [&](std::string_view part) {
    return IsMockingBird(set) ? CleanPinyin(part) : CleanEnglish(part, han);
  };
  std::vector<int> ids;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open + 2);
    if (close == std::string_view::npos) {
      AddCharacters(set, clean(text), &ids);
      break;
    }
    AddCharacters(set, clean(text.substr(0, open)), &ids);
    AddArpabet(set, text.substr(open + 1, close - open - 1), &ids);
    text.remove_prefix(close + 1);
  }
  if (set != TacotronSymbols::kNvidia) ids.push_back(kEnd);
  return ids;
}

std::string PinyinText(const Piece& piece) {
  std::string text;
  for (const Word& word : piece.words) {
    if (!text.empty()) text.push_back(' ');
    if (word.pinyin.empty()) {
      text += word.text;
      continue;
    }
    for (std::size_t i = 0; i < word.pinyin.size(); ++i)
      text += (i > 0 ? " " : "") + word.pinyin[i];
  }
  return text;
}

}  // namespace timbre::text
