// Digits that name something: telephone and service numbers, versions, room and flight numbers,
// serial numbers behind letters.
#include <algorithm>

#include "text/mandarin/scanner.h"
#include "text/mandarin/units.h"
#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

bool In(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != set.npos; }

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Service numbers that are known without a word about telephones beside them.
constexpr std::u32string_view kServices[] = {U"10086", U"10010", U"12306", U"12315", U"12345",
                                             U"12123", U"12333", U"12320", U"12110", U"11185"};

// Digit groups at the head of `text`, joined by single hyphens or spaces.
struct Groups {
  std::size_t lengths[5] = {};
  std::size_t count = 0;
  std::size_t end = 0;
};
Groups ReadGroups(std::u32string_view text, std::u32string_view marks) {
  Groups groups;
  std::size_t i = 0;
  while (groups.count < 5) {
    const std::size_t begin = i;
    while (i < text.size() && IsAsciiDigit(text[i])) ++i;
    if (i == begin) break;
    groups.lengths[groups.count++] = i - begin;
    groups.end = i;
    if (i + 1 >= text.size() || !In(text[i], marks) || !IsAsciiDigit(text[i + 1])) break;
    ++i;
  }
  return groups;
}

bool Shape(const Groups& groups, std::initializer_list<std::size_t> lengths) {
  return groups.count == lengths.size() &&
         std::equal(lengths.begin(), lengths.end(), groups.lengths);
}

// Whether the groups are a telephone number by their shape alone.
bool IsTelephone(const Groups& groups, std::u32string_view text) {
  const bool mobile = text[0] == U'1' && text.size() > 1 && In(text[1], U"3456789");
  if (mobile && (Shape(groups, {11}) || Shape(groups, {3, 4, 4}))) return true;
  const bool area =
      text[0] == U'0' && groups.count >= 2 && groups.lengths[0] >= 3 && groups.lengths[0] <= 4;
  if (area) {
    const std::size_t second = groups.lengths[1];
    if (second >= 7 && second <= 8) return true;
    if (groups.count >= 3 && second >= 3 && second <= 4 && groups.lengths[2] == 4) return true;
  }
  const bool free = text.starts_with(U"400") || text.starts_with(U"800") || text.starts_with(U"95");
  return free && (Shape(groups, {3, 3, 4}) || Shape(groups, {3, 4, 3}) ||
                  (Shape(groups, {10}) && !text.starts_with(U"95")));
}

}  // namespace

// 13800138000, 138-0013-8000, 010-5550-0123转806, 400 820 8820; local numbers near 电话.
bool Scanner::Telephone() {
  if (IsAsciiDigit(Before()) || IsAsciiLetter(Before())) return false;
  Groups groups = ReadGroups(From(at_), U"-");
  if (groups.count == 1) groups = ReadGroups(From(at_), U" ");
  bool known = IsTelephone(groups, From(at_));
  if (!known && groups.count == 2 && groups.lengths[1] == 4 && groups.lengths[0] >= 3 &&
      groups.lengths[0] <= 4) {
    known = At(at_ + groups.lengths[0]) == U'-' &&
            Near(8, {U"电话", U"热线", U"拨打", U"致电", U"手机", U"传真", U"来电"});
  }
  if (!known) return false;
  std::u32string digits;
  for (std::size_t i = at_; i < at_ + groups.end; ++i) {
    if (IsAsciiDigit(text_[i])) digits.push_back(text_[i]);
  }
  std::size_t end = at_ + groups.end;
  std::u32string spoken = ReadDigits(digits, true);
  std::size_t extension = end;
  if (From(end).starts_with(U"转分机") || From(end).starts_with(U"分机号")) {
    extension += 3;
  } else if (From(end).starts_with(U"分机")) {
    extension += 2;
  } else if (At(end) == U'转') {
    extension += 1;
  }
  if (extension > end && IsAsciiDigit(At(extension))) {
    const std::size_t extension_end = DigitsEnd(extension);
    spoken += Slice(end, extension);
    spoken += ReadDigits(Slice(extension, extension_end), true);
    end = extension_end;
  }
  Say(spoken, end);
  quantity_end_ = kNone;
  return true;
}

// 1.2.3 with points between; four parts of up to three digits are an address, digit by digit.
bool Scanner::Version() {
  std::size_t parts = 1;
  std::size_t end = DigitsEnd(at_);
  while (At(end) == U'.' && IsAsciiDigit(At(end + 1))) {
    end = DigitsEnd(end + 1);
    ++parts;
  }
  if (parts < 3) return false;
  std::u32string spoken;
  for (std::size_t i = at_; i < end;) {
    const std::size_t part_end = DigitsEnd(i);
    if (i > at_) spoken += U"点";
    const bool digit_wise =
        parts == 4 || part_end - i > 2 || (part_end - i == 2 && text_[i] == U'0');
    spoken += digit_wise ? ReadDigits(Slice(i, part_end)) : ReadCardinal(Slice(i, part_end));
    i = part_end + 1;
  }
  Say(spoken, end);
  quantity_end_ = kNone;
  return true;
}

// 3-2-501: three parts or more that are no date and no telephone number.
bool Scanner::Chain() {
  std::size_t parts = 1;
  std::size_t end = DigitsEnd(at_);
  while (At(end) == U'-' && IsAsciiDigit(At(end + 1))) {
    end = DigitsEnd(end + 1);
    ++parts;
  }
  const bool room = parts == 2 && !StartsWithMeasure(From(end)) &&
                    Near(6, {U"房间", U"单元", U"教室", U"号楼", U"门牌"});
  if ((parts < 3 && !room) || InEquation(at_)) return false;
  const bool long_number = end - at_ >= 10 && parts > 2;
  std::u32string spoken;
  for (std::size_t i = at_; i < end;) {
    const std::size_t part_end = DigitsEnd(i);
    if (i > at_ && !long_number) spoken += U"杠";
    const bool digit_wise = long_number || part_end - i > 2 || text_[i] == U'0';
    spoken += digit_wise ? ReadDigits(Slice(i, part_end), true) : ReadCardinal(Slice(i, part_end));
    i = part_end + 1;
  }
  Say(spoken, end);
  quantity_end_ = kNone;
  return true;
}

// Digits that belong to the letters before them: A4, iPhone15, GPT-4, MH370, Python3.11.
bool Scanner::SerialNumber() {
  const bool hyphen = Before() == U'-' && IsAsciiLetter(Before(2));
  if (!IsAsciiLetter(Before()) && !hyphen) return false;
  const std::size_t end = DigitsEnd(at_);
  const bool small = end - at_ <= 2 && text_[at_] != U'0';
  std::u32string spoken = small ? ReadCardinal(Slice(at_, end)) : ReadDigits(Slice(at_, end), true);
  if (At(end) == U'.' && IsAsciiDigit(At(end + 1))) {
    const std::size_t fraction_end = DigitsEnd(end + 1);
    if (At(fraction_end) == U'.' && IsAsciiDigit(At(fraction_end + 1))) return Version();
    Say(ReadCardinal(Slice(at_, end)) + U"点" + ReadDigits(Slice(end + 1, fraction_end)),
        fraction_end);
    return true;
  }
  Say(spoken, end);
  quantity_end_ = kNone;
  return true;
}

// A whole number that is an identifier: by its length or zeros, or by the words around it.
bool Scanner::Code(std::size_t digits_end) {
  const std::u32string_view digits = Slice(at_, digits_end);
  const std::size_t length = digits.size();
  const std::u32string_view rest = From(digits_end);
  if (In(At(digits_end), U".,") && IsAsciiDigit(At(digits_end + 1))) return false;
  if (In(At(digits_end), U"%‰/:：")) return false;
  const bool measured = StartsWithMeasure(rest) || In(At(digits_end), U"万亿千百") ||
                        MatchUnit(From(SkipSpace(digits_end))).length > 0;
  bool code = length >= 2 && digits[0] == U'0';
  for (const std::u32string_view service : kServices) code |= digits == service && !measured;
  code |= length == 5 && digits.starts_with(U"95") && !measured &&
          Near(8, {U"电话", U"客服", U"拨", U"热线", U"致电", U"打"});
  code |= length >= 3 && length <= 8 && !measured &&
          Near(8, {U"拨打", U"拨", U"电话", U"热线", U"致电", U"呼叫", U"客服", U"报警", U"急救",
                   U"打"});
  code |= length >= 3 && !measured &&
          Near(8, {U"编号", U"单号", U"卡号", U"账号",   U"帐号", U"密码",   U"验证码", U"号码",
                   U"工号", U"学号", U"QQ",   U"邮编",   U"车牌", U"身份证", U"尾号",   U"代码",
                   U"航班", U"代号", U"门牌", U"微信号", U"群号", U"序列号", U"房号",   U"口令"});
  code |=
      length >= 3 && length <= 4 &&
      (rest.starts_with(U"室") || rest.starts_with(U"房") || rest.starts_with(U"号房") ||
       rest.starts_with(U"会议室") || rest.starts_with(U"教室") || rest.starts_with(U"病房") ||
       rest.starts_with(U"国道") || rest.starts_with(U"次列车") || rest.starts_with(U"次航班") ||
       rest.starts_with(U"次高铁") || rest.starts_with(U"路公交") || rest.starts_with(U"工程") ||
       rest.starts_with(U"高校") || rest.starts_with(U"大促") || rest.starts_with(U"购物节"));
  code |= length == 3 && (digits == U"985" || digits == U"211" || digits == U"996") && !measured;
  code |= length == 3 && rest.starts_with(U"路") && !rest.starts_with(U"路人");
  code |= length >= 7 && length <= 8 && Before() == U')' && Near(6, {U"(0"});
  const bool round = length > 4 && digits.ends_with(U"0000");
  code |= length >= 9 && !measured && !round && !rest.starts_with(U"人");
  // RTX 4090: a model number behind its name.
  code |= length == 4 && Before() == U' ' && IsAsciiLetter(Before(2)) && !measured &&
          !In(At(digits_end), U"年人");
  if (!code) return false;
  Say(ReadDigits(digits, true), digits_end);
  return true;
}

}  // namespace timbre::text::mandarin
