// Texts as the Tacotron models of the SV2TTS family read them: letters (or pinyin) -> symbol ids.
// Three symbol sets; every model says by the rows of its embedding which one it was trained with.
//   Real-Time-Voice-Cloning  66 letters and marks, end sign; English cleaners
//   NVIDIA Tacotron 2       148 letters, marks and ARPAbet in braces; English cleaners, no end sign
//   MockingBird              75 (or 70, older) letters, tone digits and marks; pinyin, end sign
// Functions are pure; any thread may call them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/analysis.h"

namespace timbre::text {

enum class TacotronSymbols { kRtvc, kNvidia, kMockingBird75, kMockingBird70 };

int SymbolCount(TacotronSymbols set);

// The set of a checkpoint whose text embedding has `rows` rows. Error: kUnsupported
// "unknown_symbol_set".
Result<TacotronSymbols> SymbolsForEmbedding(int rows);

// Spelling of one Han character in Latin letters without tone ("ni"), empty when unknown.
using HanSpelling = std::function<std::string(char32_t)>;

// The English cleaners of Tacotron (Keith Ito's): to ASCII, lower case, numbers and abbreviations
// in words, single spaces. Han characters become "ni hao " where a spelling is given, else nothing.
// Braces have no meaning here.
std::string CleanEnglish(std::string_view text, const HanSpelling& han = {});

// What the model reads for a text; for MockingBird the text is pinyin syllables with tone numbers,
// marks and Latin words separated by spaces. Symbols outside the set are left out.
std::vector<int> TacotronIds(TacotronSymbols set, std::string_view text,
                             const HanSpelling& han = {});

// A piece's words as MockingBird text: "ni3 hao3 ,".
std::string PinyinText(const Piece& piece);

}  // namespace timbre::text
