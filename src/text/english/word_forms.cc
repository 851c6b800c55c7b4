// The part of Pronunciation that takes words apart: "GPUs", "unshockable", "warmhearted".
#include <algorithm>
#include <array>

#include "text/english/lexicon.h"
#include "text/english/pronunciation.h"

namespace timbre::text {
namespace {

constexpr int kMaxDepth = 3;

bool In(std::initializer_list<std::string_view> list, std::string_view phone) {
  return std::ranges::find(list, phone) != list.end();
}

bool IsVoiceless(std::string_view phone) { return In({"P", "T", "K", "F", "TH", "HH"}, phone); }
bool IsHissing(std::string_view phone) { return In({"S", "Z", "SH", "ZH", "CH", "JH"}, phone); }

PhoneNames With(PhoneNames phones, std::initializer_list<std::string_view> tail) {
  phones.insert(phones.end(), tail.begin(), tail.end());
  return phones;
}

PhoneNames WithS(PhoneNames stem) {
  if (IsHissing(stem.back())) return With(std::move(stem), {"IH0", "Z"});
  return With(std::move(stem), {IsVoiceless(stem.back()) ? "S" : "Z"});
}

PhoneNames WithEd(PhoneNames stem) {
  const std::string last = stem.back();
  if (last == "T" || last == "D") return With(std::move(stem), {"IH0", "D"});
  const bool voiceless = IsVoiceless(last) || In({"S", "SH", "CH"}, last);
  return With(std::move(stem), {voiceless ? "T" : "D"});
}

struct Affix {
  std::string_view letters;
  std::string_view phones;
};

}  // namespace

std::optional<PhoneNames> Pronunciation::Known(std::string_view word, int depth) const {
  if (word.empty()) return std::nullopt;
  if (word.size() > 1) {
    if (const auto listed = FindInLexicon(word)) return SplitPhones(*listed);
    if (const auto found = dictionary_.Find(word)) return SplitPhones(*found);
  }
  if (depth >= kMaxDepth) return std::nullopt;
  if (auto phones = Contraction(word, depth)) return phones;
  if (auto phones = Inflected(word, depth)) return phones;
  return Derived(word, depth);
}

std::optional<PhoneNames> Pronunciation::Contraction(std::string_view word, int depth) const {
  const std::size_t quote = word.rfind('\'');
  if (quote == std::string_view::npos || quote == 0) return std::nullopt;
  const std::string_view tail = word.substr(quote + 1);
  const std::string_view head = word.substr(0, quote);
  if (tail == "t" && head.ends_with('n')) {
    auto stem = Known(head.substr(0, head.size() - 1), depth + 1);
    return stem ? std::optional(With(*std::move(stem), {"AH0", "N", "T"})) : std::nullopt;
  }
  std::optional<PhoneNames> stem =
      head.size() == 1 ? SplitPhones(LetterPhones(head[0])) : Known(head, depth + 1);
  if (!stem && (tail == "s" || tail == "ll" || tail == "d" || tail == "ve" || tail == "re")) {
    stem = Unknown(head);
  }
  if (!stem || stem->empty()) return std::nullopt;
  if (tail == "s") return WithS(*std::move(stem));
  if (tail == "ll") return With(*std::move(stem), {"AH0", "L"});
  if (tail == "re") return With(*std::move(stem), {"ER0"});
  if (tail == "ve") return With(*std::move(stem), {"AH0", "V"});
  if (tail == "d") return WithEd(*std::move(stem));
  return std::nullopt;
}

std::optional<PhoneNames> Pronunciation::Inflected(std::string_view word, int depth) const {
  // The stem as written, with a final e, with y for i, without a doubled letter.
  const auto find_stem = [&](std::string_view stem) -> std::optional<PhoneNames> {
    if (stem.size() < 3) return std::nullopt;
    if (auto phones = Known(stem, depth + 1)) return phones;
    if (auto phones = Known(std::string(stem) + "e", kMaxDepth)) return phones;
    if (stem.back() == stem[stem.size() - 2])
      return Known(stem.substr(0, stem.size() - 1), kMaxDepth);
    if (stem.back() == 'i')
      return Known(std::string(stem.substr(0, stem.size() - 1)) + "y", kMaxDepth);
    return std::nullopt;
  };
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) {
    auto stem = Known(word.substr(0, word.size() - 1), depth + 1);
    if (!stem && word.ends_with("es")) stem = find_stem(word.substr(0, word.size() - 2));
    if (stem) return WithS(*std::move(stem));
  }
  if (word.size() > 4 && word.ends_with("ed")) {
    if (auto stem = find_stem(word.substr(0, word.size() - 2))) return WithEd(*std::move(stem));
  }
  if (word.size() > 5 && word.ends_with("ing")) {
    if (auto stem = find_stem(word.substr(0, word.size() - 3)))
      return With(*std::move(stem), {"IH0", "NG"});
  }
  if (word.size() > 4 && word.ends_with("er")) {
    if (auto stem = find_stem(word.substr(0, word.size() - 2)))
      return With(*std::move(stem), {"ER0"});
  }
  return std::nullopt;
}

std::optional<PhoneNames> Pronunciation::Derived(std::string_view word, int depth) const {
  static constexpr auto kSuffixes = std::to_array<Affix>({{"able", "AH0 B AH0 L"},
                                                          {"ably", "AH0 B L IY0"},
                                                          {"ness", "N AH0 S"},
                                                          {"less", "L AH0 S"},
                                                          {"ment", "M AH0 N T"},
                                                          {"ship", "SH IH2 P"},
                                                          {"like", "L AY2 K"},
                                                          {"wise", "W AY2 Z"},
                                                          {"ful", "F AH0 L"},
                                                          {"ish", "IH0 SH"},
                                                          {"ly", "L IY0"},
                                                          {"y", "IY0"}});
  static constexpr auto kPrefixes = std::to_array<Affix>({{"un", "AH0 N"},
                                                          {"re", "R IY0"},
                                                          {"non", "N AA0 N"},
                                                          {"pre", "P R IY0"},
                                                          {"mis", "M IH0 S"},
                                                          {"over", "OW2 V ER0"},
                                                          {"under", "AH2 N D ER0"},
                                                          {"multi", "M AH2 L T IY0"},
                                                          {"inter", "IH2 N T ER0"},
                                                          {"super", "S UW2 P ER0"},
                                                          {"hyper", "HH AY2 P ER0"},
                                                          {"micro", "M AY2 K R OW0"},
                                                          {"anti", "AE2 N T IY0"},
                                                          {"auto", "AO2 T OW0"},
                                                          {"semi", "S EH2 M IY0"},
                                                          {"sub", "S AH2 B"},
                                                          {"cyber", "S AY2 B ER0"}});
  for (const Affix& suffix : kSuffixes) {
    if (word.size() < suffix.letters.size() + 4 || !word.ends_with(suffix.letters)) continue;
    const std::string_view stem = word.substr(0, word.size() - suffix.letters.size());
    auto phones = Known(stem, depth + 1);
    if (!phones && stem.back() == 'i')
      phones = Known(std::string(stem.substr(0, stem.size() - 1)) + "y", kMaxDepth);
    if (!phones) continue;
    const PhoneNames tail = SplitPhones(suffix.phones);
    phones->insert(phones->end(), tail.begin(), tail.end());
    return phones;
  }
  for (const Affix& prefix : kPrefixes) {
    if (word.size() < prefix.letters.size() + 4 || !word.starts_with(prefix.letters)) continue;
    auto stem = Known(word.substr(prefix.letters.size()), depth + 1);
    if (!stem) continue;
    PhoneNames phones = SplitPhones(prefix.phones);
    phones.insert(phones.end(), stem->begin(), stem->end());
    return phones;
  }
  return std::nullopt;
}

// Two known words of four letters or more, or a short one that compounds often end or begin with.
std::optional<PhoneNames> Pronunciation::Compound(std::string_view word) const {
  static constexpr auto kShort = std::to_array<std::string_view>(
      {"app", "bot", "box", "car", "cup", "day", "eye", "hub", "man", "men", "net",
       "out", "pad", "pay", "pod", "sky", "sun", "top", "toy", "web", "way"});
  const auto usable = [](std::string_view part) {
    return part.size() >= 4 || std::ranges::find(kShort, part) != kShort.end();
  };
  for (std::size_t first = word.size() - std::min<std::size_t>(word.size(), 3); first >= 3;
       --first) {
    const std::string_view head = word.substr(0, first);
    const std::string_view tail = word.substr(first);
    if (!usable(head) || !usable(tail)) continue;
    auto head_phones = Known(head, kMaxDepth);
    auto tail_phones = Known(tail, kMaxDepth - 1);
    if (!head_phones || !tail_phones) continue;
    // The second part keeps its beat, weaker.
    for (std::string& phone : *tail_phones) {
      if (phone.back() == '1') phone.back() = '2';
    }
    head_phones->insert(head_phones->end(), tail_phones->begin(), tail_phones->end());
    return head_phones;
  }
  return std::nullopt;
}

}  // namespace timbre::text
