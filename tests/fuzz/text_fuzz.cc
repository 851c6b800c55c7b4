// FrontEnd::Analyze in every language and both ways of splitting, and the Tacotron symbol sets.
// What comes out must keep the promises of text/analysis.h.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "text/front_end.h"
#include "text/phone_table.h"
#include "text/tacotron_symbols.h"

using namespace timbre::text;

namespace {

void CheckPromises(const Analysis& analysis) {
  TIMBRE_CHECK(!analysis.pieces.empty());
  for (const Piece& piece : analysis.pieces) {
    bool spoken = false;
    for (const Word& word : piece.words) {
      spoken |= !word.punctuation;
      int characters = 0;
      for (const int phones : word.phones_per_character) characters += phones;
      TIMBRE_CHECK(word.phones_per_character.empty() ||
                   characters == static_cast<int>(word.phones.size()));
      for (const std::string& phone : word.phones) TIMBRE_CHECK(PhoneId(phone).has_value());
    }
    TIMBRE_CHECK(spoken);
    TIMBRE_CHECK(piece.pause_after >= 0.0 && piece.pause_after <= 1.0);
    (void)PinyinText(piece);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto front_end = FrontEnd::Load(DefaultFrontEndPaths(TIMBRE_THIRD_PARTY_DIR));
  TIMBRE_CHECK(front_end.has_value());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  AnalyzeOptions options;
  options.max_characters = 2000;
  for (const Language language : {Language::kAuto, Language::kEnglish, Language::kMandarin}) {
    options.language = language;
    options.split.at_every_mark = language == Language::kEnglish;
    if (const auto analysis = (*front_end)->Analyze(text, options)) CheckPromises(*analysis);
  }
  for (const TacotronSymbols set :
       {TacotronSymbols::kRtvc, TacotronSymbols::kNvidia, TacotronSymbols::kMockingBird75,
        TacotronSymbols::kMockingBird70}) {
    for (const int id : TacotronIds(set, text)) TIMBRE_CHECK(id >= 0 && id < SymbolCount(set));
  }
  return 0;
}
