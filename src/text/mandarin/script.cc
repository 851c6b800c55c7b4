#include "text/mandarin/script.h"

#include <exception>

#include <opencc/SimpleConverter.hpp>

#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

// Words in which simplified script keeps 著 (zhu4); everywhere else it is the particle 着.
constexpr std::u32string_view kBeforeZhu = U"名显昭卓巨专译原编论遗合撰土拙执旧新大";
constexpr std::u32string_view kAfterZhu = U"名作称录述书者有文";

void RestoreParticle(std::u32string* text) {
  for (std::size_t i = 0; i < text->size(); ++i) {
    if ((*text)[i] != U'著') continue;
    const char32_t before = i > 0 ? (*text)[i - 1] : 0;
    const char32_t after = i + 1 < text->size() ? (*text)[i + 1] : 0;
    const bool zhu = (before != 0 && kBeforeZhu.find(before) != kBeforeZhu.npos) ||
                     (after != 0 && kAfterZhu.find(after) != kAfterZhu.npos) || !IsHan(before);
    if (!zhu) (*text)[i] = U'着';
  }
}

bool IsInvisible(char32_t c) {
  return c == 0xFEFF || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2069) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xAD || c == 0x180E ||
         (c >= 0xE0100 && c <= 0xE01EF) || (c < 0x20 && c != U'\n' && c != U'\t') || c == 0x7F;
}

}  // namespace

struct ScriptConverter::Converter {
  explicit Converter(const std::string& config) : opencc(config) {}
  opencc::SimpleConverter opencc;
};

ScriptConverter::ScriptConverter(std::shared_ptr<const Converter> converter)
    : converter_(std::move(converter)) {}

Result<ScriptConverter> ScriptConverter::Load(const std::filesystem::path& config) {
  try {
    return ScriptConverter(std::make_shared<const Converter>(config.string()));
  } catch (const std::exception&) {
    return Fail(ErrorCode::kNotFound, "dictionary_missing",
                "OpenCC cannot read its configuration {}.", config.filename().string());
  }
}

std::string ScriptConverter::Simplify(const std::string& text) const {
  std::string simplified;
  try {
    simplified = converter_->opencc.Convert(text);
  } catch (const std::exception&) {
    return text;  // what it cannot read stays as it is
  }
  if (simplified.find("著") == simplified.npos) return simplified;
  std::u32string characters = Decode(simplified);
  RestoreParticle(&characters);
  return Encode(characters);
}

std::u32string TidyCharacters(std::u32string_view text) {
  std::u32string tidy;
  tidy.reserve(text.size());
  for (const char32_t c : text) {
    if (IsInvisible(c)) continue;
    if (c >= 0xFF01 && c <= 0xFF5E) {
      static constexpr std::u32string_view kKept = U"，！？：；（）";
      tidy.push_back(kKept.find(c) != kKept.npos || c == U'～' ? c : c - 0xFEE0);
    } else if (c == 0x3000 || c == 0xA0 || c == 0x202F || (c >= 0x2000 && c <= 0x200A)) {
      tidy.push_back(U' ');
    } else {
      tidy.push_back(c);
    }
  }
  return tidy;
}

}  // namespace timbre::text::mandarin
