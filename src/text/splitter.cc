#include "text/splitter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "text/marks.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

constexpr double kHanWeight = 5.0 / 8.0;  // of an English word
constexpr int kHanLetters = 3;            // letters of English that take as long
constexpr double kSlack = 1.25;           // a clause this little too long stays whole

std::size_t CharactersOf(const Word& word) { return word.phones_per_character.size(); }

double WeightOf(const Word& word) {
  if (word.punctuation) return 0.0;
  if (word.language != Language::kMandarin) return 1.0;
  return kHanWeight * static_cast<double>(std::max<std::size_t>(1, CharactersOf(word)));
}

int LettersOf(const Word& word) {
  if (word.punctuation) return 0;
  if (word.language != Language::kMandarin) return static_cast<int>(word.text.size());
  return kHanLetters * static_cast<int>(std::max<std::size_t>(1, CharactersOf(word)));
}

char32_t MarkOf(const Word& word) {
  if (!word.punctuation) return 0;
  const std::u32string mark = Decode(word.phones.front());
  return mark.empty() ? 0 : mark[0];
}

bool EndsSentence(char32_t mark) {
  return mark == U'.' || mark == U'!' || mark == U'?' || mark == U'…';
}

// A stretch of words with its closing mark.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  double weight = 0.0;
  int letters = 0;
  bool ends_sentence = false;
};

Stretch Measure(std::span<const Word> words, std::size_t begin, std::size_t end) {
  Stretch stretch{begin, end};
  for (std::size_t i = begin; i < end; ++i) {
    stretch.weight += WeightOf(words[i]);
    stretch.letters += LettersOf(words[i]);
  }
  stretch.ends_sentence = end > begin && EndsSentence(MarkOf(words[end - 1]));
  return stretch;
}

std::vector<Stretch> Clauses(std::span<const Word> words) {
  std::vector<Stretch> clauses;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].punctuation || i + 1 == words.size()) {
      clauses.push_back(Measure(words, begin, i + 1));
      begin = i + 1;
    }
  }
  return clauses;
}

// How good it is to part the clause before this word: at most 1 for a word that opens a phrase,
// negative for words that lean on the one before.
double BreakBonus(const Word& word) {
  static constexpr std::array<std::string_view, 36> kOpeners = {
      "and",    "but", "or",       "that", "which", "who",  "because", "when", "where",
      "while",  "if",  "although", "so",   "then",  "with", "without", "for",  "from",
      "in",     "on",  "at",       "to",   "by",    "of",   "as",      "than", "after",
      "before", "和",  "与",       "但",   "而",    "因为", "所以",    "如果", "并"};
  static constexpr std::array<std::string_view, 12> kLeaning = {"的", "地", "得", "了", "着", "过",
                                                                "吗", "呢", "吧", "们", "里", "上"};
  if (std::ranges::find(kOpeners, word.text) != kOpeners.end()) return 1.0;
  if (std::ranges::find(kLeaning, word.text) != kLeaning.end()) return -3.0;
  return 0.0;
}

// Letters said by their names belong together: "G P U".
bool IsLetterRun(const Word& before, const Word& after) {
  const auto letter = [](const Word& word) {
    return word.language == Language::kEnglish && !word.punctuation &&
           (word.text.size() == 1 || word.text.ends_with("'s")) &&
           IsAsciiUpper(static_cast<unsigned char>(word.text[0]));
  };
  return letter(before) && letter(after);
}

// Parts of numbers and dates: "二零二四年" "十二月", "twenty" "three".
bool IsNumeral(const Word& word) {
  static constexpr std::u32string_view kHan =
      U"零〇一二三四五六七八九十百千万亿两点半年月日号时分秒";
  static constexpr auto kEnglish = std::to_array<std::string_view>(
      {"zero",    "oh",      "one",       "two",      "three",    "four",    "five",     "six",
       "seven",   "eight",   "nine",      "ten",      "eleven",   "twelve",  "thirteen", "fourteen",
       "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",  "thirty",   "forty",
       "fifty",   "sixty",   "seventy",   "eighty",   "ninety",   "hundred", "thousand", "million",
       "billion", "point",   "percent",   "dollars"});
  if (word.punctuation) return false;
  if (word.language == Language::kEnglish)
    return std::ranges::find(kEnglish, word.text) != kEnglish.end();
  const std::u32string text = Decode(word.text);
  return std::ranges::all_of(text,
                             [](char32_t c) { return kHan.find(c) != std::u32string_view::npos; });
}

// Parts of a clause that is too long, none much longer than the limit, cut where a phrase begins.
std::vector<Stretch> CutClause(std::span<const Word> words, const Stretch& clause,
                               double first_limit, double limit) {
  std::vector<Stretch> parts;
  std::size_t begin = clause.begin;
  double left = clause.weight;
  double here = first_limit;
  while (left > here * kSlack) {
    // Equal shares of what is left read better than a full part and a rest of two words.
    const double shares = std::ceil(left / here);
    const double aim = std::min(here, std::max(left / shares, here * 0.6));
    std::size_t best = 0;
    double best_score = -1e9;
    double weight = 0.0;
    double best_weight = 0.0;
    for (std::size_t i = begin; i + 1 < clause.end && weight < here; ++i) {
      weight += WeightOf(words[i]);
      if (weight > here && best > 0) break;
      if (words[i + 1].punctuation) continue;
      double score = -std::abs(weight - aim) + 2.0 * BreakBonus(words[i + 1]);
      if (IsLetterRun(words[i], words[i + 1])) score -= 10.0;
      if (IsNumeral(words[i]) && IsNumeral(words[i + 1])) score -= 6.0;
      if (score > best_score) {
        best = i + 1;
        best_score = score;
        best_weight = weight;
      }
    }
    if (best == 0) break;
    parts.push_back(Measure(words, begin, best));
    begin = best;
    left -= best_weight;
    here = limit;
  }
  parts.push_back(Measure(words, begin, clause.end));
  return parts;
}

Stretch Joined(const Stretch& a, const Stretch& b) {
  return {a.begin, b.end, a.weight + b.weight, a.letters + b.letters, b.ends_sentence};
}

// Stretches that will be pieces: clauses gathered up to the limits.
std::vector<Stretch> Gather(std::span<const Word> words, const SplitLimits& limits, bool first) {
  std::vector<Stretch> done;
  Stretch open;
  const auto limit = [&] {
    return static_cast<double>(first && done.empty() ? limits.first_words : limits.later_words);
  };
  const auto is_open = [&] { return open.end > open.begin; };
  const auto close = [&] {
    if (is_open()) done.push_back(open);
    open = {};
  };
  for (const Stretch& clause : Clauses(words)) {
    if (limits.at_every_mark) {
      done.push_back(clause);
      continue;
    }
    if (is_open() && open.weight + clause.weight > limit() && open.letters >= limits.min_letters)
      close();
    const Stretch joined = is_open() ? Joined(open, clause) : clause;
    if (joined.weight > limit() * kSlack) {
      open = {};
      std::vector<Stretch> parts = CutClause(words, joined, limit(), limits.later_words);
      done.insert(done.end(), parts.begin(), parts.end() - 1);
      open = parts.back();
    } else {
      open = joined;
    }
    if (open.ends_sentence && open.letters >= limits.min_letters) close();
  }
  // A short rest joins the piece before it.
  if (is_open() && open.letters < limits.min_letters && !done.empty() &&
      done.back().weight + open.weight <= limits.later_words * 1.5) {
    done.back() = Joined(done.back(), open);
    open = {};
  }
  close();
  return done;
}

bool NeedsSpace(const Word& before, const Word& after) {
  if (after.punctuation) return false;
  const bool han_before = before.language == Language::kMandarin;
  const bool han_after = after.language == Language::kMandarin;
  if (before.punctuation) return !han_after;
  return !(han_before && han_after);
}

}  // namespace

std::vector<Word> MergeMarks(std::vector<Word> words) {
  std::vector<Word> out;
  out.reserve(words.size());
  for (Word& word : words) {
    if (!word.punctuation) {
      out.push_back(std::move(word));
      continue;
    }
    word.text = word.phones.front();
    if (out.empty()) continue;
    if (!out.back().punctuation) {
      out.push_back(std::move(word));
    } else if (StrongerMark(MarkOf(out.back()), MarkOf(word)) == MarkOf(word)) {
      out.back() = std::move(word);
    }
  }
  return out;
}

std::string TextOf(const std::vector<Word>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && NeedsSpace(words[i - 1], words[i])) text.push_back(' ');
    text.append(words[i].text);
  }
  return text;
}

std::vector<Piece> SplitLine(std::vector<Word> words, const SplitLimits& limits, bool first) {
  std::vector<Piece> pieces;
  for (const Stretch& stretch : Gather(words, limits, first)) {
    Piece piece;
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(stretch.begin);
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(stretch.end);
    piece.words.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
    piece.text = TextOf(piece.words);
    piece.pause_after = PauseAfter(MarkOf(piece.words.back()));
    pieces.push_back(std::move(piece));
  }
  if (!pieces.empty()) pieces.back().pause_after = 0.0;
  return pieces;
}

}  // namespace timbre::text
