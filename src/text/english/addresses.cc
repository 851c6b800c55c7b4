#include "text/english/addresses.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/english/number_words.h"
#include "text/english/words.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

constexpr std::size_t kMaxAddress = 2000;

bool IsAddressCharacter(char32_t c) {
  static constexpr std::u32string_view kSigns = U".-_~:/?#@!$&'*+,;=%";
  return IsAsciiLetter(c) || IsAsciiDigit(c) || kSigns.find(c) != std::u32string_view::npos;
}

std::string_view SignName(char c) {
  switch (c) {
    case '.':
      return "dot";
    case '/':
      return "slash";
    case '-':
      return "dash";
    case '_':
      return "underscore";
    case '@':
      return "at";
    case ':':
      return "colon";
    case '?':
      return "question mark";
    case '=':
      return "equals";
    case '&':
      return "and";
    case '#':
      return "hash";
    case '%':
      return "percent";
    case '+':
      return "plus";
    case '~':
      return "tilde";
    default:
      return "";
  }
}

bool IsLetter(char c) { return IsAsciiLetter(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return IsAsciiDigit(static_cast<unsigned char>(c)); }

// Where the host name ends: at a slash, a colon, a question or hash sign.
std::string_view HostOf(std::string_view address) {
  return address.substr(0, address.find_first_of("/:?#"));
}

bool HasDomainEnding(std::string_view host, bool path_follows) {
  static constexpr std::array<std::string_view, 24> kEndings = {
      "com", "org", "net", "edu", "gov",  "io", "cn",  "co", "uk", "de", "jp",   "fr",
      "ru",  "ai",  "app", "dev", "info", "tv", "xyz", "eu", "ca", "au", "tech", "cloud"};
  static constexpr std::array<std::string_view, 6> kWordLike = {"in", "me", "us", "it", "to", "so"};
  const std::size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot < 2) return false;
  const std::string_view ending = host.substr(dot + 1);
  return std::ranges::find(kEndings, ending) != kEndings.end() ||
         (path_follows && std::ranges::find(kWordLike, ending) != kWordLike.end());
}

bool IsMail(std::string_view address) {
  const std::size_t at = address.find('@');
  if (at == 0 || at == std::string_view::npos ||
      address.find('@', at + 1) != std::string_view::npos) {
    return false;
  }
  const std::string_view host = address.substr(at + 1);
  const std::size_t dot = host.rfind('.');
  const bool plain = std::ranges::all_of(
      host, [](char c) { return IsLetter(c) || IsDigit(c) || c == '.' || c == '-'; });
  return plain && dot != std::string_view::npos && dot > 0 && host.size() - dot > 2;
}

void SayAddress(Scanner& scanner, std::string_view address) {
  for (std::size_t at = 0; at < address.size();) {
    std::size_t end = at;
    if (IsLetter(address[at])) {
      while (end < address.size() && IsLetter(address[end])) ++end;
      SayWord(scanner, address.substr(at, end - at), WordPlace::kAddress);
    } else if (IsDigit(address[at])) {
      while (end < address.size() && IsDigit(address[end])) ++end;
      const std::string_view digits = address.substr(at, end - at);
      scanner.Say(digits.size() > 2 ? DigitWords(digits) : CardinalWords(digits));
    } else {
      scanner.Say(SignName(address[at]));
      end = at + 1;
    }
    at = end;
  }
}

}  // namespace

bool ReadAddress(Scanner& scanner) {
  if (!IsAsciiLetter(scanner.Peek()) && !IsAsciiDigit(scanner.Peek())) return false;
  if (IsAddressCharacter(scanner.Before()) && scanner.Before() != U'\'') return false;
  std::string chunk;
  while (chunk.size() <= kMaxAddress && IsAddressCharacter(scanner.Peek(chunk.size()))) {
    chunk.push_back(static_cast<char>(scanner.Peek(chunk.size())));
  }
  if (chunk.size() > kMaxAddress) return false;
  while (!chunk.empty() &&
         std::string_view(".,;:!?'").find(chunk.back()) != std::string_view::npos) {
    chunk.pop_back();
  }
  std::string_view address = chunk;
  bool known = false;
  for (const std::string_view scheme : {"https://", "http://", "ftp://"}) {
    if (address.starts_with(scheme) && address.size() > scheme.size()) {
      address.remove_prefix(scheme.size());  // nobody says it
      known = true;
    }
  }
  const std::string_view host = HostOf(address);
  known |= address.starts_with("www.") && address.size() > 4;
  known |= IsMail(address);
  known |= host.find_first_of("@,;!&'") == std::string_view::npos &&
           HasDomainEnding(host, host.size() < address.size() && address[host.size()] == '/');
  if (!known) return false;
  while (address.ends_with('/')) address.remove_suffix(1);
  SayAddress(scanner, address);
  scanner.Advance(chunk.size());
  return true;
}

}  // namespace timbre::text
