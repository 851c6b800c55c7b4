#include "text/analysis.h"

namespace timbre::text {

std::vector<std::string> Phones(const Piece& piece) {
  std::vector<std::string> phones;
  for (const Word& word : piece.words) {
    phones.insert(phones.end(), word.phones.begin(), word.phones.end());
  }
  return phones;
}

}  // namespace timbre::text
