// Words of a line -> pieces that can be spoken one after the other. A short first piece brings the
// first sound early; later ones are long enough for a natural melody. Linear in the words; pure.
#pragma once

#include <vector>

#include "text/analysis.h"
#include "text/front_end.h"

namespace timbre::text {

// Marks in a row become one, the strongest; marks without words before them go.
std::vector<Word> MergeMarks(std::vector<Word> words);

// Pieces of one line (marks merged), in order, every word in exactly one of them. `first`: the line
// begins the text. pause_after is set between the pieces; the last one of the line has 0.
std::vector<Piece> SplitLine(std::vector<Word> words, const SplitLimits& limits, bool first);

// "Hello, world." / "你好,世界." / "我用 G P U 跑.": the words as one text.
std::string TextOf(const std::vector<Word>& words);

}  // namespace timbre::text
