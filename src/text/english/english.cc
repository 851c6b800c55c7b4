#include "text/english/english.h"

#include <set>

#include "text/english/addresses.h"
#include "text/english/numerals.h"
#include "text/english/pronouncing_dictionary.h"
#include "text/english/pronunciation.h"
#include "text/english/symbols.h"
#include "text/english/words.h"
#include "text/transliteration.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

// Plain letters for accented ones, the plain apostrophe for its typographic form inside words.
std::u32string Simplified(std::string_view text) {
  std::u32string out;
  const std::u32string decoded = Decode(text);
  out.reserve(decoded.size());
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    const char32_t c = decoded[i];
    if (IsExtendedLatin(c)) {
      const std::string ascii = AsciiOf(c).value_or("");
      for (const char letter : ascii) out.push_back(static_cast<unsigned char>(letter));
    } else if (c == U'’' || c == U'ʼ' || c == U'＇') {
      out.push_back(U'\'');
    } else if (c == U'\u00A0' || c == U'\u202F' || c == U'\t') {
      out.push_back(U' ');
    } else if (c < 0x0300 || c > 0x036F) {  // combining accents are dropped
      out.push_back(c);
    }
  }
  return out;
}

// A word of letters with apostrophes inside; SayWord decides how it is said.
void ReadWord(Scanner& scanner) {
  std::string word = scanner.Letters(0, 400);
  while (word.size() < 400 && scanner.Peek(word.size()) == U'\'' &&
         IsAsciiLetter(scanner.Peek(word.size() + 1))) {
    word.push_back('\'');
    word += scanner.Letters(word.size(), 400 - word.size());
  }
  const bool digit_after = IsAsciiDigit(scanner.Peek(word.size()));
  const bool digit_before = IsAsciiDigit(scanner.Before());
  scanner.Advance(word.size());
  if ((word == "v" || word == "V") && digit_after) {
    scanner.Say("version");
    return;
  }
  SayWord(scanner, word, digit_after || digit_before ? WordPlace::kNextToDigit : WordPlace::kText);
}

// A word that the user gave a reading for stays as it is.
bool ReadGiven(Scanner& scanner, const std::set<std::string, std::less<>>& given) {
  if (given.empty()) return false;
  const std::string word = scanner.Letters(0, 400);
  if (!scanner.EndsAt(word.size()) || !given.contains(LowerAscii(word))) return false;
  scanner.Say(word);
  scanner.Advance(word.size());
  return true;
}

}  // namespace

struct English::Parts {
  Pronunciation pronunciation;
};

English::English(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
English::~English() = default;

Result<std::shared_ptr<const English>> English::Load(const EnglishPaths& paths) {
  TIMBRE_ASSIGN(PronouncingDictionary dictionary, PronouncingDictionary::Load(paths.cmudict));
  TIMBRE_ASSIGN(GraphemeNet net, GraphemeNet::Load(paths.g2p_net));
  TIMBRE_ASSIGN(Homographs homographs, Homographs::Load(paths.homographs));
  auto parts = std::make_unique<const Parts>(
      Pronunciation(std::move(dictionary), std::move(net), std::move(homographs)));
  return std::shared_ptr<const English>(new English(std::move(parts)));
}

std::string English::Normalize(std::string_view text, const Overrides& overrides) const {
  const std::u32string simplified = Simplified(text);
  std::set<std::string, std::less<>> given;
  for (const auto& [word, reading] : overrides) given.insert(LowerAscii(word));
  Scanner scanner(simplified, parts_->pronunciation.dictionary());
  while (!scanner.AtEnd()) {
    const char32_t c = scanner.Peek();
    if (c == U' ') {
      scanner.Advance(1);
      continue;
    }
    if (ReadAddress(scanner) || ReadMoney(scanner)) continue;
    if (c == U'(' && ReadTelephone(scanner)) continue;
    if (c == U'+' && ReadTelephone(scanner)) continue;
    if (ReadNumeral(scanner)) continue;
    if (IsAsciiLetter(c)) {
      if (ReadGiven(scanner, given)) continue;
      if (!ReadAbbreviation(scanner) && !ReadRomanNumeral(scanner)) ReadWord(scanner);
      continue;
    }
    ReadSign(scanner);
  }
  return scanner.TakeOutput();
}

std::vector<Word> English::Analyze(std::string_view normalised, const Overrides& overrides,
                                   std::vector<std::string>* skipped) const {
  return parts_->pronunciation.Read(normalised, overrides, skipped);
}

}  // namespace timbre::text
