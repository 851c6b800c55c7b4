// What the front end makes of a text: pieces to be spoken one after the other. `text` knows
// letters, `models` know ids; a Piece carries what every model family may ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace timbre::text {

enum class Language { kAuto, kEnglish, kMandarin };

// A word (English) or dictionary word (Mandarin) or one punctuation mark.
struct Word {
  Language language = Language::kEnglish;
  std::string text;                    // normalised spelling, UTF-8
  std::vector<std::string> pinyin;     // Mandarin only: one per character, "hao3" (5 = neutral), after sandhi
  std::vector<std::string> phones;     // names in the GPT-SoVITS v2 phone table (text/phone_table.h)
  std::vector<int> phones_per_character;  // Mandarin only; sums to phones.size()
  bool punctuation = false;
};

struct Piece {
  std::string text;            // normalised, as spoken, with its closing punctuation
  std::vector<Word> words;
  double pause_after = 0.0;    // seconds of silence that should follow (0 inside a sentence)
};

struct Analysis {
  std::vector<Piece> pieces;               // never empty in a successful analysis
  std::vector<std::string> skipped;        // characters with no known reading, for the response/log
};

// Phones of the piece with the index into `words` each came from.
std::vector<std::string> Phones(const Piece& piece);

}  // namespace timbre::text
