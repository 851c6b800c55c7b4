// Dates, years and times of day.
#include "text/mandarin/scanner.h"
#include "text/mandarin/units.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

bool IsLikelyYear(int year) { return year >= 1000 && year <= 2999; }

}  // namespace

// 2024/5/20, 2024-05-20, 2024.5.20; 2024/05 and 2024-05; 20240520.
bool Scanner::Date() {
  const std::size_t year_end = DigitsEnd(at_);
  const std::size_t length = year_end - at_;
  if (length == 8 && In(At(at_), U"12") && !StartsWithMeasure(From(year_end)) &&
      At(year_end) != U'.') {
    const int year = Value(at_, at_ + 4), month = Value(at_ + 4, at_ + 6),
              day = Value(at_ + 6, year_end);
    if (year < 1900 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    Say(ReadDigits(Slice(at_, at_ + 4)) + U"年" + ReadCardinal(Slice(at_ + 4, at_ + 6)) + U"月" +
            ReadCardinal(Slice(at_ + 6, year_end)) + U"日",
        year_end);
    return true;
  }
  const char32_t mark = At(year_end);
  if (length != 4 || !In(mark, U"-/.") || !IsLikelyYear(Value(at_, year_end))) return false;
  const std::size_t month_end = DigitsEnd(year_end + 1);
  const std::size_t month_length = month_end - year_end - 1;
  const int month = Value(year_end + 1, month_end);
  if (month < 1 || month > 12 || month_length > 2) return false;
  std::u32string spoken = ReadDigits(Slice(at_, year_end)) + U"年" +
                          ReadCardinal(Slice(year_end + 1, month_end)) + U"月";
  if (At(month_end) == mark && IsAsciiDigit(At(month_end + 1))) {
    const std::size_t day_end = DigitsEnd(month_end + 1);
    const int day = Value(month_end + 1, day_end);
    if (day < 1 || day > 31 || day_end - month_end > 3 || At(day_end) == mark) return false;
    Say(spoken + ReadCardinal(Slice(month_end + 1, day_end)) + U"日",
        At(day_end) == U'日' || At(day_end) == U'号' ? day_end + 1 : day_end);
    return true;
  }
  const bool padded = month_length == 2 && mark != U'.';
  if (!padded && mark != U'/') return false;
  if (At(month_end) == U'年' || At(month_end) == U'%') return false;
  Say(spoken, At(month_end) == U'月' ? month_end + 1 : month_end);
  return true;
}

// 10:05, 3:30, 22:15:07. A ratio has no two-digit second half (3:2), or says so (比例16:10).
bool Scanner::Time() {
  const std::size_t hour_end = DigitsEnd(at_);
  const std::size_t minute_end = DigitsEnd(hour_end + 1);
  if (!In(At(hour_end), U":：") || minute_end != hour_end + 3 || hour_end - at_ > 2) return false;
  const int hour = Value(at_, hour_end), minute = Value(hour_end + 1, minute_end);
  if (hour > 24 || minute > 59) return false;
  if (Near(10,
           {U"比分", U"比例", U"比率", U"配比", U"以", U"胜", U"负", U"战平", U"领先", U"落后"}))
    return false;
  std::size_t end = minute_end;
  std::u32string spoken = hour == 2 ? U"两" : ReadCardinal(Slice(at_, hour_end));
  spoken += U"点";
  const bool has_seconds =
      In(At(end), U":：") && DigitsEnd(end + 1) == end + 3 && Value(end + 1, end + 3) <= 59;
  if (In(At(end), U":：") && IsAsciiDigit(At(end + 1)) && !has_seconds) return false;
  const bool half_hours = hour <= 12;
  if (minute == 30 && half_hours && !has_seconds) {
    spoken += U"半";
  } else if (minute > 0 || has_seconds) {
    if (minute < 10) spoken += U"零";
    if (minute > 0) spoken += ReadCardinal(Slice(hour_end + 1, minute_end));
    spoken += U"分";
  }
  if (has_seconds) {
    spoken += ReadCardinal(Slice(end + 1, end + 3)) + U"秒";
    end += 3;
  }
  Say(spoken, end);
  return true;
}

// A day that has become a name, month and day digit by digit: 9·11, 3.15晚会, 5.1劳动节.
bool Scanner::Anniversary() {
  const std::size_t month_end = DigitsEnd(at_);
  const std::size_t day_end = DigitsEnd(month_end + 1);
  if (month_end - at_ > 2 || day_end == month_end + 1 || day_end - month_end > 3) return false;
  if (At(month_end) == U'.') {
    bool named = false;
    for (const std::u32string_view name :
         {U"晚会", U"劳动节", U"国庆", U"假期", U"长假", U"小长假", U"黄金周", U"地震"}) {
      named |= From(day_end).starts_with(name);
    }
    if (!named) return false;
  } else if (At(month_end) != U'·' && At(month_end) != U'•') {
    return false;
  }
  const std::u32string month = month_end - at_ == 2 ? ReadCardinal(Slice(at_, month_end))
                                                    : ReadDigits(Slice(at_, month_end));
  Say(month + ReadDigits(Slice(month_end + 1, day_end)), day_end);
  return true;
}

// Digits before 年: a year digit by digit, a span of years as a number.
bool Scanner::Year(std::size_t digits_end) {
  std::size_t end = digits_end;
  if (At(end) == U' ') ++end;
  const std::size_t length = digits_end - at_;
  const char32_t after = At(end + 1);
  if (At(end) != U'年' || In(after, U"级")) return false;
  const int value = Value(at_, digits_end);
  bool is_year = false;
  if (length == 4) {
    is_year = IsLikelyYear(value) && !(value == 1000 && In(after, U"前后来间的"));
  } else if (length == 2) {
    const bool month_follows = IsAsciiDigit(after) && In(At(DigitsEnd(end + 1)), U"月");
    const bool dated = In(after, U"款版生届底初末春夏秋秋冬") ||
                       From(end + 1).starts_with(U"出生") || From(end + 1).starts_with(U"毕业") ||
                       From(end + 1).starts_with(U"入学") || From(end + 1).starts_with(U"世界杯") ||
                       From(end + 1).starts_with(U"奥运");
    is_year = At(at_) == U'0' || month_follows || (dated && after != U'初' && after != U'底') ||
              (value > 60 && value % 10 != 0 && after != U'来' && after != U'前' && after != U'后');
  }
  if (!is_year) return false;
  Say(ReadDigits(Slice(at_, digits_end)), end);
  return true;
}

// 2019-2021年, 98～99年; 2023-24赛季.
bool Scanner::YearRange(std::size_t digits_end) {
  if (!IsRangeSign(At(digits_end)) && At(digits_end) != U'至' && At(digits_end) != U'到')
    return false;
  const std::size_t second_end = DigitsEnd(digits_end + 1);
  const std::size_t first = digits_end - at_, second = second_end - digits_end - 1;
  const bool season = From(second_end).starts_with(U"赛季") ||
                      From(second_end).starts_with(U"学年") ||
                      From(second_end).starts_with(U"财年");
  if (first != 4 || (second != 4 && !(second == 2 && season))) return false;
  if (At(second_end) != U'年' && !season) return false;
  if (!IsLikelyYear(Value(at_, digits_end))) return false;
  if (second == 4 && !IsLikelyYear(Value(digits_end + 1, second_end))) return false;
  Say(ReadDigits(Slice(at_, digits_end)) + U"到" + ReadDigits(Slice(digits_end + 1, second_end)),
      second_end);
  return true;
}

// 80后, 95后, 00后: the year of birth.
bool Scanner::Decade(std::size_t digits_end) {
  if (digits_end - at_ != 2 || At(digits_end) != U'后') return false;
  if (!In(At(at_), U"0156789") || !In(At(at_ + 1), U"05")) return false;
  if (In(At(digits_end + 1), U"面来续天年")) return false;
  Say(ReadDigits(Slice(at_, digits_end)), digits_end);
  return true;
}

// 05月, 08日, 09时, 05分: the zero is only written, save before minutes and seconds.
bool Scanner::PaddedCount(std::size_t digits_end) {
  if (digits_end - at_ != 2 || At(at_) != U'0' || At(at_ + 1) == U'0') return false;
  const char32_t unit = At(digits_end);
  if (!In(unit, U"月日号时点分秒")) return false;
  std::u32string spoken = In(unit, U"分秒") ? U"零" : U"";
  spoken += ReadCardinal(Slice(at_, digits_end));
  Say(spoken, digits_end);
  return true;
}

}  // namespace timbre::text::mandarin
