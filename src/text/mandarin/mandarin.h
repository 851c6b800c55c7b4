// Mandarin front end: written text -> spoken characters -> words with pinyin and phones.
//
//   Normalize  "套餐￥39.90，2點開" -> "套餐三十九点九元，两点开"   (script, width, numbers,
//   addresses) Analyze    "银行行长" -> {银行: yin2 hang2, 行长: hang2 zhang3} with phones of the
//   v2 table
//
// Both are linear in the length of the text, and total: every byte sequence is answered, invalid
// UTF-8 as U+FFFD. A loaded Mandarin is const: any number of threads may use it at once.
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

// Files as their packages ship them.
struct MandarinPaths {
  std::filesystem::path jieba_dictionaries;          // folder: jieba.dict.utf8, pos_dict/*.utf8
  std::filesystem::path pypinyin_dictionaries;       // folder: pinyin_dict.json, phrases_dict.json
  std::filesystem::path opencc_config = "t2s.json";  // a name in OpenCC's own folder, or a path
};

class Mandarin {
 public:
  // Errors: kNotFound "dictionary_missing", kCorrupt "dictionary_broken", naming the file.
  static Result<std::shared_ptr<const Mandarin>> Load(const MandarinPaths& paths);
  ~Mandarin();

  // Whole text, also with other languages in it: everything a Mandarin speaker would say in
  // Mandarin is written out in simplified characters; letters stay for the English front end
  // (spelled ones apart: "W W W 点 example 点 C N"), punctuation stays as it was written, except
  // that invisible characters go and none is left inside a number or an address.
  std::string Normalize(std::string_view text) const;

  // Words of a normalised text of Han characters and punctuation marks, tone sandhi applied.
  // Marks become words of one phone out of , . ! ? … - ; brackets and quotation marks vanish.
  // Characters with no known reading (letters too) are left out and added to `skipped`.
  // An override holds where its characters stand, whatever the word boundaries; see overrides.h.
  std::vector<Word> Analyze(std::string_view normalised, const Overrides& overrides,
                            std::vector<std::string>* skipped) const;

  // Readings as a dictionary gives them, for models trained on text without sandhi:
  // one syllable per character, "" where there is none.
  std::vector<std::string> PlainPinyin(std::string_view normalised,
                                       const Overrides& overrides) const;

 private:
  struct Parts;
  explicit Mandarin(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace timbre::text
