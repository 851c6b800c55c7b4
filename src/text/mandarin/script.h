// Traditional to simplified characters, and the characters that are not to be seen.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace timbre::text::mandarin {

// OpenCC with a configuration such as t2s.json. Const after loading; OpenCC's conversion only reads
// its dictionaries, so any number of threads may use it at once.
class ScriptConverter {
 public:
  // Errors: kNotFound "dictionary_missing" when OpenCC cannot read the configuration.
  static Result<ScriptConverter> Load(const std::filesystem::path& config);

  // Well-formed UTF-8 in and out.
  std::string Simplify(const std::string& text) const;

 private:
  struct Converter;
  explicit ScriptConverter(std::shared_ptr<const Converter> converter);
  std::shared_ptr<const Converter> converter_;
};

// Without byte order marks, zero-width characters, variation selectors, soft hyphens and direction
// marks; full-width letters, digits and signs as ASCII, wide spaces as spaces. Punctuation stays.
std::u32string TidyCharacters(std::u32string_view text);

}  // namespace timbre::text::mandarin
