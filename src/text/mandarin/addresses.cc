#include "text/mandarin/addresses.h"

#include <algorithm>

#include "text/mandarin/numerals.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

constexpr std::u32string_view kSigns = U"._-@/:?=&%#~+";
constexpr std::size_t kLongest = 2048;

constexpr std::u32string_view kDomains[] = {
    U"com",   U"cn",    U"org",  U"net",  U"edu",  U"gov",     U"io",      U"ai",   U"me",
    U"info",  U"biz",   U"top",  U"xyz",  U"app",  U"dev",     U"tv",      U"cc",   U"co",
    U"hk",    U"tw",    U"jp",   U"kr",   U"uk",   U"de",      U"fr",      U"ru",   U"us",
    U"eu",    U"site",  U"shop", U"club", U"tech", U"wang",    U"vip",     U"mobi", U"online",
    U"store", U"cloud", U"fun",  U"live", U"test", U"example", U"invalid",
};
constexpr std::u32string_view kFileEndings[] = {
    U"txt", U"pdf", U"json", U"doc", U"docx", U"xls", U"xlsx", U"ppt", U"pptx", U"zip",
    U"rar", U"exe", U"mp3",  U"mp4", U"wav",  U"jpg", U"png",  U"gif", U"html", U"htm",
    U"css", U"csv", U"xml",  U"py",  U"cpp",  U"md",  U"yaml", U"apk", U"flac",
};
// Spelled although they could be said.
constexpr std::u32string_view kSpelled[] = {U"cn", U"io", U"ai", U"tv",  U"uk",  U"us",
                                            U"eu", U"de", U"co", U"apk", U"exe", U"gif"};

bool IsAddressCharacter(char32_t c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || kSigns.find(c) != kSigns.npos;
}

template <std::size_t n>
bool Has(const std::u32string_view (&list)[n], std::u32string_view word) {
  std::u32string lower;
  for (const char32_t c : word) lower.push_back(ToLowerAscii(c));
  return std::find(std::begin(list), std::end(list), lower) != std::end(list);
}

// Two labels at least, none empty, the last of them a known ending; a letter somewhere.
bool IsHost(std::u32string_view host, bool any_ending) {
  std::size_t labels = 0;
  bool letter_before_ending = false;
  while (true) {
    const std::size_t dot = host.find(U'.');
    const std::u32string_view label = host.substr(0, dot);
    if (label.empty()) return false;
    for (const char32_t c : label) {
      if (!IsAsciiLetter(c) && !IsAsciiDigit(c) && c != U'-' && c != U'_') return false;
    }
    ++labels;
    if (dot == host.npos) {
      const bool letters = std::all_of(label.begin(), label.end(), IsAsciiLetter);
      if (labels < 2) return false;
      if (any_ending) return letters && label.size() >= 2;
      return Has(kDomains, label) || (Has(kFileEndings, label) && letter_before_ending);
    }
    letter_before_ending |= std::any_of(label.begin(), label.end(), IsAsciiLetter);
    host.remove_prefix(dot + 1);
  }
}

std::size_t SchemeLength(std::u32string_view text) {
  for (const std::u32string_view scheme : {U"https://", U"http://", U"ftp://"}) {
    if (text.starts_with(scheme)) return std::u32string_view(scheme).size();
  }
  return 0;
}

// A word of an address: letters stay a word where they can be said.
void ReadLetters(std::u32string_view word, std::u32string* spoken) {
  const bool has_vowel = std::any_of(word.begin(), word.end(), [](char32_t c) {
    return std::u32string_view(U"aeiouyAEIOUY").find(c) != std::u32string_view::npos;
  });
  if (has_vowel && word.size() > 1 && !Has(kSpelled, word)) {
    *spoken += word;
    return;
  }
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i > 0) spoken->push_back(U' ');
    spoken->push_back(IsAsciiLower(word[i]) ? word[i] - 32 : word[i]);
  }
}

std::u32string_view SignName(char32_t c) {
  switch (c) {
    case U'.':
      return U"点";
    case U'/':
      return U"斜杠";
    case U'-':
      return U"杠";
    case U'_':
      return U"下划线";
    case U'@':
      return U"艾特";
    case U':':
      return U"冒号";
    case U'?':
      return U"问号";
    case U'=':
      return U"等于";
    case U'&':
      return U"和";
    case U'%':
      return U"百分号";
    case U'#':
      return U"井号";
    case U'~':
      return U"波浪号";
    default:
      return U"加";
  }
}

}  // namespace

std::size_t AddressLength(std::u32string_view text) {
  std::size_t length = 0;
  while (length < text.size() && length < kLongest && IsAddressCharacter(text[length])) ++length;
  while (length > 0 &&
         std::u32string_view(U".:?-#&=+~").find(text[length - 1]) != std::u32string_view::npos) {
    --length;
  }
  const std::u32string_view address = text.substr(0, length);
  const std::size_t scheme = SchemeLength(address);
  const std::u32string_view rest = address.substr(scheme);
  const std::size_t at = rest.find(U'@');
  if (scheme == 0 && at != rest.npos)
    return at > 0 && IsHost(rest.substr(at + 1), true) ? length : 0;
  const std::u32string_view host = rest.substr(0, rest.find_first_of(U"/?#:"));
  const bool sure = scheme > 0 || host.starts_with(U"www.");
  return IsHost(host, sure) ? length : 0;
}

std::u32string ReadAddress(std::u32string_view address) {
  address.remove_prefix(SchemeLength(address));
  while (address.ends_with(U'/')) address.remove_suffix(1);
  std::u32string spoken = U" ";
  for (std::size_t i = 0; i < address.size();) {
    if (spoken.size() > 1) spoken.push_back(U' ');
    std::size_t end = i + 1;
    if (IsAsciiLetter(address[i])) {
      while (end < address.size() && IsAsciiLetter(address[end])) ++end;
      ReadLetters(address.substr(i, end - i), &spoken);
    } else if (IsAsciiDigit(address[i])) {
      while (end < address.size() && IsAsciiDigit(address[end])) ++end;
      spoken += ReadDigits(address.substr(i, end - i));
    } else {
      spoken += SignName(address[i]);
    }
    i = end;
  }
  spoken.push_back(U' ');
  return spoken;
}

}  // namespace timbre::text::mandarin
