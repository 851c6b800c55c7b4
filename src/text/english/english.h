// English front end: written text -> spoken words -> phones.
//
//   Normalize  "Pump 3.5 m³/h via GPU" -> "Pump three point five cubic meters per hour via G P U"
//   Analyze    the same -> words with ARPAbet phones (stress digits), as g2p_en and GPT-SoVITS say
//   them
//
// Both are linear in the length of the text. A loaded English is const and may be shared by threads
// (the cache of unknown words locks itself).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/analysis.h"
#include "text/overrides.h"

namespace timbre::text {

struct EnglishPaths {
  std::filesystem::path cmudict;     // CMUdict text file
  std::filesystem::path g2p_net;     // g2p_en's checkpoint20.npz: the net for unknown words
  std::filesystem::path homographs;  // g2p_en's homographs.en
};

class English {
 public:
  // Errors: kNotFound "dictionary_missing", kCorrupt "dictionary_broken", naming the file.
  static Result<std::shared_ptr<const English>> Load(const EnglishPaths& paths);
  ~English();

  // Everything that is not a plain word is written out. Letters said by their names stand alone as
  // capitals ("G P U"); marks stay as they were written; characters of other scripts stay.
  // Words that the overrides name are left as they are.
  std::string Normalize(std::string_view text, const Overrides& overrides = {}) const;

  // Words of a normalised text (Latin letters, apostrophes, spaces, marks). Marks become words of
  // one phone out of , . ! ? … - ; everything else is left out and added to `skipped`.
  // An override is found by the word without regard to case.
  std::vector<Word> Analyze(std::string_view normalised, const Overrides& overrides,
                            std::vector<std::string>* skipped) const;

 private:
  struct Parts;
  explicit English(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace timbre::text
