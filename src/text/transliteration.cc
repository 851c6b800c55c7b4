#include "text/transliteration.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace timbre::text {
namespace {

// U+00A0..U+00FF.
constexpr std::array<std::string_view, 96> kLatin1 = {
    " ",     "!",     "C/",    "PS", "$?", "Y=", "|",  "SS", "\"", "(c)", "a",  "<<", "!", "",
    "(r)",   "-",     "deg",   "+-", "2",  "3",  "'",  "u",  "P",  "*",   ",",  "1",  "o", ">>",
    " 1/4 ", " 1/2 ", " 3/4 ", "?",  "A",  "A",  "A",  "A",  "A",  "A",   "AE", "C",  "E", "E",
    "E",     "E",     "I",     "I",  "I",  "I",  "D",  "N",  "O",  "O",   "O",  "O",  "O", "x",
    "O",     "U",     "U",     "U",  "U",  "Y",  "Th", "ss", "a",  "a",   "a",  "a",  "a", "a",
    "ae",    "c",     "e",     "e",  "e",  "e",  "i",  "i",  "i",  "i",   "d",  "n",  "o", "o",
    "o",     "o",     "o",     "/",  "o",  "u",  "u",  "u",  "u",  "y",   "th", "y"};

// Runs of letters that alternate capital (even code points) and small (odd ones) over one base.
struct Run {
  char32_t first;
  char32_t last;
  char base;  // capital
  bool even_is_capital = true;
};
constexpr auto kRuns = std::to_array<Run>({
    {0x100, 0x105, 'A'},        {0x106, 0x10D, 'C'},        {0x10E, 0x111, 'D'},
    {0x112, 0x11B, 'E'},        {0x11C, 0x123, 'G'},        {0x124, 0x127, 'H'},
    {0x128, 0x131, 'I'},        {0x134, 0x135, 'J'},        {0x136, 0x137, 'K'},
    {0x139, 0x142, 'L', false}, {0x143, 0x148, 'N', false}, {0x14C, 0x151, 'O'},
    {0x154, 0x159, 'R'},        {0x15A, 0x161, 'S'},        {0x162, 0x167, 'T'},
    {0x168, 0x173, 'U'},        {0x174, 0x175, 'W'},        {0x176, 0x177, 'Y'},
    {0x179, 0x17E, 'Z', false}, {0x1CD, 0x1CE, 'A', false}, {0x1CF, 0x1D0, 'I', false},
    {0x1D1, 0x1D2, 'O', false}, {0x1D3, 0x1DC, 'U', false}, {0x1E6, 0x1E7, 'G'},
    {0x1E8, 0x1E9, 'K'},        {0x218, 0x219, 'S'},        {0x21A, 0x21B, 'T'},
    {0x1E00, 0x1E01, 'A'},      {0x1E02, 0x1E07, 'B'},      {0x1E08, 0x1E09, 'C'},
    {0x1E0A, 0x1E13, 'D'},      {0x1E14, 0x1E1D, 'E'},      {0x1E1E, 0x1E1F, 'F'},
    {0x1E20, 0x1E21, 'G'},      {0x1E22, 0x1E2B, 'H'},      {0x1E2C, 0x1E2F, 'I'},
    {0x1E30, 0x1E35, 'K'},      {0x1E36, 0x1E3D, 'L'},      {0x1E3E, 0x1E43, 'M'},
    {0x1E44, 0x1E4B, 'N'},      {0x1E4C, 0x1E53, 'O'},      {0x1E54, 0x1E57, 'P'},
    {0x1E58, 0x1E5F, 'R'},      {0x1E60, 0x1E69, 'S'},      {0x1E6A, 0x1E71, 'T'},
    {0x1E72, 0x1E7B, 'U'},      {0x1E7C, 0x1E7F, 'V'},      {0x1E80, 0x1E89, 'W'},
    {0x1E8A, 0x1E8D, 'X'},      {0x1E8E, 0x1E8F, 'Y'},      {0x1E90, 0x1E95, 'Z'},
    {0x1EA0, 0x1EB7, 'A'},      {0x1EB8, 0x1EC7, 'E'},      {0x1EC8, 0x1ECB, 'I'},
    {0x1ECC, 0x1EE3, 'O'},      {0x1EE4, 0x1EF1, 'U'},      {0x1EF2, 0x1EF9, 'Y'},
});

struct Single {
  char32_t c;
  std::string_view ascii;
  bool letter = false;
};
constexpr auto kSingles = std::to_array<Single>({
    {0x132, "IJ", true}, {0x133, "ij", true}, {0x138, "k", true},  {0x149, "'n", true},
    {0x14A, "NG", true}, {0x14B, "ng", true}, {0x152, "OE", true}, {0x153, "oe", true},
    {0x178, "Y", true},  {0x17F, "s", true},  {0x192, "f", true},  {0x1A0, "O", true},
    {0x1A1, "o", true},  {0x1AF, "U", true},  {0x1B0, "u", true},  {0x2010, "-"},
    {0x2011, "-"},       {0x2012, "-"},       {0x2013, "-"},       {0x2014, "--"},
    {0x2015, "--"},      {0x2016, "||"},      {0x2018, "'"},       {0x2019, "'"},
    {0x201A, ","},       {0x201B, "'"},       {0x201C, "\""},      {0x201D, "\""},
    {0x201E, ",,"},      {0x201F, "\""},      {0x2020, "+"},       {0x2021, "++"},
    {0x2022, "*"},       {0x2026, "..."},     {0x2028, "\n"},      {0x2029, "\n\n"},
    {0x2032, "'"},       {0x2033, "''"},      {0x2039, "<"},       {0x203A, ">"},
    {0x2044, "/"},       {0x20AC, "EUR"},     {0x2116, "No "},     {0x2122, "(tm)"},
    {0x2212, "-"},       {0x3000, " "},       {0x3001, ", "},      {0x3002, ". "},
    {0x300A, "<<"},      {0x300B, ">> "},     {0x300C, "["},       {0x300D, "] "},
    {0x3010, "[("},      {0x3011, ")] "},
});
static_assert(std::ranges::is_sorted(kSingles, {}, &Single::c));

const Run* FindRun(char32_t c) {
  const auto found =
      std::ranges::find_if(kRuns, [c](const Run& run) { return c >= run.first && c <= run.last; });
  return found == kRuns.end() ? nullptr : &*found;
}

const Single* FindSingle(char32_t c) {
  const auto found = std::ranges::lower_bound(kSingles, c, {}, &Single::c);
  return found == kSingles.end() || found->c != c ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> AsciiOf(char32_t c) {
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  if (c < 0xA0) return "";
  if (c < 0x100) return std::string(kLatin1[c - 0xA0]);
  if (const Run* run = FindRun(c)) {
    const bool capital = (c % 2 == 0) == run->even_is_capital;
    return std::string(1, static_cast<char>(capital ? run->base : run->base + 32));
  }
  if (const Single* single = FindSingle(c)) return std::string(single->ascii);
  if (c >= 0x2000 && c <= 0x200A) return " ";
  if (c >= 0x200B && c <= 0x200F) return "";
  if (c >= 0xFF01 && c <= 0xFF5E) return std::string(1, static_cast<char>(c - 0xFEE0));
  return std::nullopt;
}

bool IsExtendedLatin(char32_t c) {
  if (c >= 0xC0 && c <= 0xFF) return c != 0xD7 && c != 0xF7;
  if (FindRun(c) != nullptr) return true;
  const Single* single = FindSingle(c);
  return single != nullptr && single->letter;
}

}  // namespace timbre::text
