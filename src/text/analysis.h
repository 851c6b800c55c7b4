// What the front end makes of a text: pieces to be spoken one after the other. `text` knows
// letters, `models` know ids; a Piece carries what every model family may ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace timbre::text {

enum class Language { kAuto, kEnglish, kMandarin };

// A word (English), a dictionary word (Mandarin) or one punctuation mark.
struct Word {
  Language language = Language::kEnglish;
  std::string text;  // normalised spelling, UTF-8; a single capital is a letter said by its name
  std::vector<std::string>
      pinyin;  // Mandarin only: per character, "hao3" (5 = neutral), sandhi done
  std::vector<std::string> phones;  // names of the GPT-SoVITS v2 phone table (text/phone_table.h)
  std::vector<int> phones_per_character;  // Mandarin only; sums to phones.size()
  bool punctuation = false;               // text and phone are one of , . ! ? … -
};

struct Piece {
  std::string text;  // normalised, as spoken, with its closing punctuation; marks are , . ! ? … -
  std::vector<Word> words;  // never empty, at least one is no punctuation
  double pause_after =
      0.0;  // seconds of silence that should follow (0 inside a clause, at the end)
};

struct Analysis {
  std::vector<Piece> pieces;         // never empty in a successful analysis
  std::vector<std::string> skipped;  // characters with no known reading, in order, each once
};

// All phones of the piece in speaking order.
std::vector<std::string> Phones(const Piece& piece);

}  // namespace timbre::text
