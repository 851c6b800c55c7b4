#include "text/english/units.h"

#include <array>
#include <string_view>

#include "text/english/number_words.h"
#include "text/utf8.h"

namespace timbre::text {
namespace {

struct UnitName {
  std::u32string_view symbol;
  std::string_view one;   // "meter"
  std::string_view many;  // empty: regular plural of the first word ("meter per second")
};

constexpr auto kUnits = std::to_array<UnitName>({
    {U"km", "kilometer", ""},
    {U"m", "meter", ""},
    {U"cm", "centimeter", ""},
    {U"mm", "millimeter", ""},
    {U"dm", "decimeter", ""},
    {U"nm", "nanometer", ""},
    {U"µm", "micrometer", ""},
    {U"mi", "mile", ""},
    {U"yd", "yard", ""},
    {U"ft", "foot", "feet"},
    {U"kg", "kilogram", ""},
    {U"g", "gram", ""},
    {U"mg", "milligram", ""},
    {U"µg", "microgram", ""},
    {U"lb", "pound", ""},
    {U"lbs", "pound", "pounds"},
    {U"oz", "ounce", ""},
    {U"t", "ton", ""},
    {U"L", "liter", ""},
    {U"l", "liter", ""},
    {U"mL", "milliliter", ""},
    {U"ml", "milliliter", ""},
    {U"dL", "deciliter", ""},
    {U"gal", "gallon", ""},
    {U"ha", "hectare", ""},
    {U"h", "hour", ""},
    {U"hr", "hour", ""},
    {U"hrs", "hour", "hours"},
    {U"min", "minute", ""},
    {U"mins", "minute", "minutes"},
    {U"s", "second", ""},
    {U"sec", "second", ""},
    {U"secs", "second", "seconds"},
    {U"ms", "millisecond", ""},
    {U"µs", "microsecond", ""},
    {U"ns", "nanosecond", ""},
    {U"Hz", "hertz", "hertz"},
    {U"kHz", "kilohertz", "kilohertz"},
    {U"MHz", "megahertz", "megahertz"},
    {U"GHz", "gigahertz", "gigahertz"},
    {U"V", "volt", ""},
    {U"mV", "millivolt", ""},
    {U"kV", "kilovolt", ""},
    {U"A", "amp", ""},
    {U"mA", "milliamp", ""},
    {U"mAh", "milliamp hour", "milliamp hours"},
    {U"Ah", "amp hour", "amp hours"},
    {U"W", "watt", ""},
    {U"mW", "milliwatt", ""},
    {U"kW", "kilowatt", ""},
    {U"MW", "megawatt", ""},
    {U"GW", "gigawatt", ""},
    {U"Wh", "watt hour", "watt hours"},
    {U"kWh", "kilowatt hour", "kilowatt hours"},
    {U"MWh", "megawatt hour", "megawatt hours"},
    {U"Ω", "ohm", ""},
    {U"kΩ", "kiloohm", "kiloohms"},
    {U"J", "joule", ""},
    {U"kJ", "kilojoule", ""},
    {U"cal", "calorie", ""},
    {U"kcal", "kilocalorie", ""},
    {U"N", "newton", ""},
    {U"Nm", "newton meter", "newton meters"},
    {U"Pa", "pascal", ""},
    {U"kPa", "kilopascal", ""},
    {U"hPa", "hectopascal", ""},
    {U"MPa", "megapascal", ""},
    {U"psi", "P S I", "P S I"},
    {U"mbar", "millibar", ""},
    {U"dB", "decibel", ""},
    {U"K", "kelvin", "kelvin"},
    {U"mol", "mole", ""},
    {U"lm", "lumen", ""},
    {U"lx", "lux", "lux"},
    {U"rpm", "R P M", "R P M"},
    {U"B", "byte", ""},
    {U"KB", "kilobyte", ""},
    {U"kB", "kilobyte", ""},
    {U"MB", "megabyte", ""},
    {U"GB", "gigabyte", ""},
    {U"TB", "terabyte", ""},
    {U"PB", "petabyte", ""},
    {U"KiB", "kibibyte", ""},
    {U"MiB", "mebibyte", ""},
    {U"GiB", "gibibyte", ""},
    {U"bps", "bit per second", "bits per second"},
    {U"kbps", "kilobit per second", "kilobits per second"},
    {U"Mbps", "megabit per second", "megabits per second"},
    {U"Gbps", "gigabit per second", "gigabits per second"},
    {U"mph", "mile per hour", "miles per hour"},
    {U"kph", "kilometer per hour", "kilometers per hour"},
    {U"kmh", "kilometer per hour", "kilometers per hour"},
    {U"fps", "frame per second", "frames per second"},
    {U"ppm", "part per million", "parts per million"},
    {U"″", "inch", ""},
    {U"′", "foot", "feet"},
    {U"px", "pixel", ""},
    {U"mpg", "mile per gallon", "miles per gallon"},
    {U"°C", "degree Celsius", "degrees Celsius"},
    {U"℃", "degree Celsius", "degrees Celsius"},
    {U"°F", "degree Fahrenheit", "degrees Fahrenheit"},
    {U"℉", "degree Fahrenheit", "degrees Fahrenheit"},
    {U"°", "degree", ""},
    {U"º", "degree", ""},
    {U"ºC", "degree Celsius", "degrees Celsius"},
    {U"ºF", "degree Fahrenheit", "degrees Fahrenheit"},
    {U"€", "euro", ""},
    {U"£", "pound", ""},
    {U"$", "dollar", ""},
    {U"¥", "yen", "yen"},
    {U"USD", "U S dollar", "U S dollars"},
    {U"EUR", "euro", ""},
    {U"GBP", "British pound", "British pounds"},
    {U"JPY", "Japanese yen", "Japanese yen"},
    {U"CNY", "Chinese yuan", "Chinese yuan"},
    {U"RMB", "yuan", "yuan"},
    {U"HKD", "Hong Kong dollar", "Hong Kong dollars"},
    {U"%", "percent", "percent"},
    {U"‰", "per mille", "per mille"},
});

// The same character in two code points: the micro sign and the Greek letter, the ohm sign too.
char32_t Folded(char32_t c) { return c == U'μ' ? U'µ' : c == U'\u2126' ? U'Ω' : c; }

bool Matches(const Scanner& scanner, std::size_t offset, std::u32string_view symbol) {
  for (std::size_t i = 0; i < symbol.size(); ++i) {
    if (Folded(scanner.Peek(offset + i)) != symbol[i]) return false;
  }
  return true;
}

const UnitName* Longest(const Scanner& scanner, std::size_t offset) {
  const UnitName* best = nullptr;
  for (const UnitName& unit : kUnits) {
    if ((best == nullptr || unit.symbol.size() > best->symbol.size()) &&
        Matches(scanner, offset, unit.symbol)) {
      best = &unit;
    }
  }
  return best;
}

// 2 for ² or ^2, 3 for ³ or ^3; adds the characters to *length.
int Exponent(const Scanner& scanner, std::size_t offset, std::size_t* length) {
  const char32_t c = scanner.Peek(offset);
  if (c == U'²' || c == U'³') {
    ++*length;
    return c == U'²' ? 2 : 3;
  }
  const char32_t next = scanner.Peek(offset + 1);
  if (c == U'^' && (next == U'2' || next == U'3')) {
    *length += 2;
    return next == U'2' ? 2 : 3;
  }
  return 1;
}

bool IsWordCharacter(char32_t c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == U'\'' || (c >= 0xC0 && c < 0x250);
}

struct Factor {
  std::size_t length = 0;
  std::string words;
};

Factor ReadFactor(const Scanner& scanner, std::size_t offset, bool one) {
  const UnitName* unit = Longest(scanner, offset);
  if (unit == nullptr) return {};
  Factor factor;
  factor.length = unit->symbol.size();
  const int exponent = Exponent(scanner, offset + factor.length, &factor.length);
  if (exponent == 2) factor.words = "square ";
  if (exponent == 3) factor.words = "cubic ";
  factor.words += one                  ? std::string(unit->one)
                  : unit->many.empty() ? Plural(unit->one)
                                       : std::string(unit->many);
  return factor;
}

}  // namespace

Unit FindUnit(const Scanner& scanner, std::size_t offset, bool one) {
  const bool space = scanner.Peek(offset) == U' ';
  std::size_t at = offset + (space ? 1 : 0);
  Factor first = ReadFactor(scanner, at, one);
  if (first.length == 0) return {};
  at += first.length;
  std::string words = first.words;
  while (scanner.Peek(at) == U'/' || scanner.Peek(at) == U'·') {
    const bool per = scanner.Peek(at) == U'/';
    const Factor next = ReadFactor(scanner, at + 1, true);
    if (next.length == 0 || IsWordCharacter(scanner.Peek(at + 1 + next.length))) break;
    words += (per ? " per " : " ") + next.words;
    at += 1 + next.length;
  }
  const char32_t last = scanner.Peek(at - 1);
  const bool sign = last == U'$' || last == U'€' || last == U'£' || last == U'¥';
  if (IsWordCharacter(scanner.Peek(at)) && (IsAsciiLetter(last) || sign)) {
    return {};
  }
  if (scanner.Peek(at) == U'.' && IsAsciiLetter(scanner.Peek(at + 1))) return {};  // "5 s.t."
  const char32_t attached = !space && at == offset + 1 ? scanner.Peek(offset) : 0;
  if (attached == U'K' || attached == U'B') return {};  // 8K video, 221B Baker Street
  // "5 A students", "2 B or not": a capital that stands apart is a unit only at the end of a
  // clause.
  const bool doubtful = space && at == offset + 2 &&
                        (scanner.Peek(offset + 1) == U'A' || scanner.Peek(offset + 1) == U'B');
  if (doubtful && scanner.Peek(at) == U' ') return {};
  return {at - offset, words};
}

}  // namespace timbre::text
