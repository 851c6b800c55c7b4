#include <array>
#include <cstddef>

#include "text/english/number_words.h"
#include "text/english/numerals.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

struct Currency {
  std::u32string_view sign;
  std::string_view one;
  std::string_view many;
  std::string_view cent;  // empty: no hundredths, a fraction is said as a decimal
  std::string_view cents;
};

// Longer signs first.
constexpr auto kCurrencies = std::to_array<Currency>({
    {U"US$", "dollar", "dollars", "cent", "cents"},
    {U"HK$", "Hong Kong dollar", "Hong Kong dollars", "cent", "cents"},
    {U"NT$", "Taiwan dollar", "Taiwan dollars", "cent", "cents"},
    {U"CA$", "Canadian dollar", "Canadian dollars", "cent", "cents"},
    {U"AU$", "Australian dollar", "Australian dollars", "cent", "cents"},
    {U"NZ$", "New Zealand dollar", "New Zealand dollars", "cent", "cents"},
    {U"C$", "Canadian dollar", "Canadian dollars", "cent", "cents"},
    {U"A$", "Australian dollar", "Australian dollars", "cent", "cents"},
    {U"S$", "Singapore dollar", "Singapore dollars", "cent", "cents"},
    {U"R$", "real", "reais", "centavo", "centavos"},
    {U"CN¥", "yuan", "yuan", "", ""},
    {U"RMB", "yuan", "yuan", "", ""},
    {U"$", "dollar", "dollars", "cent", "cents"},
    {U"£", "pound", "pounds", "penny", "pence"},
    {U"€", "euro", "euros", "cent", "cents"},
    {U"¥", "yen", "yen", "", ""},
    {U"₹", "rupee", "rupees", "paisa", "paise"},
    {U"₩", "won", "won", "", ""},
    {U"₽", "ruble", "rubles", "kopeck", "kopecks"},
    {U"₺", "lira", "lira", "", ""},
    {U"₴", "hryvnia", "hryvnias", "", ""},
    {U"₫", "dong", "dong", "", ""},
    {U"₪", "shekel", "shekels", "", ""},
    {U"₿", "bitcoin", "bitcoins", "", ""},
    {U"฿", "baht", "baht", "", ""},
});

const Currency* FindCurrency(const Scanner& scanner, std::size_t offset) {
  for (const Currency& currency : kCurrencies) {
    bool same = true;
    for (std::size_t i = 0; same && i < currency.sign.size(); ++i) {
      same = scanner.Peek(offset + i) == currency.sign[i];
    }
    if (same) return &currency;
  }
  return nullptr;
}

std::string AmountWords(const Currency& currency, const Number& number) {
  const bool hundredths = number.fraction.size() == 2 && !currency.cent.empty();
  const bool round =
      number.fraction.empty() || number.fraction.find_first_not_of('0') == std::string::npos;
  if (!round && !hundredths) {
    return QuantityWords(number) + " " + std::string(currency.many);
  }
  const bool one = CardinalWords(number.whole) == "one";
  const std::string whole =
      CardinalWords(number.whole) + " " + std::string(one ? currency.one : currency.many);
  if (round) return whole;
  const std::string cents = CardinalWords(number.fraction) + " " +
                            std::string(number.fraction == "01" ? currency.cent : currency.cents);
  return CardinalWords(number.whole) == "zero" ? cents : whole + " and " + cents;
}

}  // namespace

bool ReadMoney(Scanner& scanner) {
  const char32_t before = scanner.Before();
  std::size_t at = 0;
  bool minus = false;
  if ((scanner.Peek() == U'-' || scanner.Peek() == U'−') && !IsAsciiDigit(before)) {
    minus = true;
    ++at;
  }
  const Currency* currency = FindCurrency(scanner, at);
  if (currency == nullptr || IsAsciiLetter(before)) return false;
  at += currency->sign.size();
  if (scanner.Peek(at) == U' ') ++at;
  Number number = ParseNumber(scanner, at);
  if (number.length == 0) return false;
  at += number.length;
  const Magnitude magnitude = FindMagnitude(scanner, at, true);
  if (minus) scanner.Say("minus");
  if (magnitude.length > 0) {
    scanner.Say(QuantityWords(number));
    scanner.Say(magnitude.word);
    scanner.Say(currency->many);
    scanner.Advance(at + magnitude.length);
    SayRangeDash(scanner);
    return true;
  }
  // "$5-10": the name of the money is said once, after the second amount.
  if (IsRangeDash(scanner.Peek(at)) && IsAsciiDigit(scanner.Peek(at + 1))) {
    const Number second = ParseNumber(scanner, at + 1);
    const Magnitude of_second = FindMagnitude(scanner, at + 1 + second.length, true);
    scanner.Say(QuantityWords(number) + " to " + QuantityWords(second));
    scanner.Say(of_second.word);
    scanner.Say(currency->many);
    scanner.Advance(at + 1 + second.length + of_second.length);
    return true;
  }
  scanner.Say(AmountWords(*currency, number));
  scanner.Advance(at);
  // "$5/month", "$30/h".
  if (scanner.Peek() == U'/' && IsAsciiLetter(scanner.Peek(1))) {
    scanner.Say("per");
    scanner.Advance(1);
  } else {
    SayRangeDash(scanner);
  }
  return true;
}

}  // namespace timbre::text
