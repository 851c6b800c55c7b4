#include "text/mandarin/units.h"

#include <utility>

#include "text/utf8.h"

namespace timbre::text::mandarin {
namespace {

using Row = std::pair<std::u32string_view, std::u32string_view>;

constexpr Row kUnits[] = {
    {U"km²", U"平方千米"},
    {U"km2", U"平方千米"},
    {U"m²", U"平方米"},
    {U"m2", U"平方米"},
    {U"cm²", U"平方厘米"},
    {U"cm2", U"平方厘米"},
    {U"mm²", U"平方毫米"},
    {U"mm2", U"平方毫米"},
    {U"m³", U"立方米"},
    {U"m3", U"立方米"},
    {U"cm³", U"立方厘米"},
    {U"cm3", U"立方厘米"},
    {U"km³", U"立方千米"},
    {U"dm³", U"立方分米"},
    {U"mm³", U"立方毫米"},
    {U"km", U"千米"},
    {U"m", U"米"},
    {U"dm", U"分米"},
    {U"cm", U"厘米"},
    {U"mm", U"毫米"},
    {U"μm", U"微米"},
    {U"um", U"微米"},
    {U"nm", U"纳米"},
    {U"kg", U"千克"},
    {U"KG", U"千克"},
    {U"Kg", U"千克"},
    {U"g", U"克"},
    {U"mg", U"毫克"},
    {U"μg", U"微克"},
    {U"t", U"吨"},
    {U"L", U"升"},
    {U"l", U"升"},
    {U"mL", U"毫升"},
    {U"ml", U"毫升"},
    {U"ML", U"毫升"},
    {U"h", U"小时"},
    {U"min", U"分钟"},
    {U"s", U"秒"},
    {U"ms", U"毫秒"},
    {U"μs", U"微秒"},
    {U"ns", U"纳秒"},
    {U"℃", U"度"},
    {U"°C", U"度"},
    {U"℉", U"华氏度"},
    {U"°F", U"华氏度"},
    {U"°", U"度"},
    {U"V", U"伏"},
    {U"kV", U"千伏"},
    {U"mV", U"毫伏"},
    {U"A", U"安"},
    {U"mA", U"毫安"},
    {U"mAh", U"毫安时"},
    {U"Ah", U"安时"},
    {U"W", U"瓦"},
    {U"kW", U"千瓦"},
    {U"KW", U"千瓦"},
    {U"MW", U"兆瓦"},
    {U"kWh", U"千瓦时"},
    {U"kW·h", U"千瓦时"},
    {U"Hz", U"赫兹"},
    {U"kHz", U"千赫"},
    {U"KHz", U"千赫"},
    {U"MHz", U"兆赫"},
    {U"GHz", U"吉赫"},
    {U"Pa", U"帕"},
    {U"kPa", U"千帕"},
    {U"hPa", U"百帕"},
    {U"MPa", U"兆帕"},
    {U"N", U"牛"},
    {U"J", U"焦"},
    {U"kJ", U"千焦"},
    {U"cal", U"卡"},
    {U"kcal", U"千卡"},
    {U"dB", U"分贝"},
    {U"Ω", U"欧姆"},
    {U"kΩ", U"千欧"},
    {U"mol", U"摩尔"},
    {U"lx", U"勒克斯"},
    {U"mmHg", U"毫米汞柱"},
    {U"USD", U"美元"},
    {U"CNY", U"元"},
    {U"RMB", U"元"},
    {U"EUR", U"欧元"},
    {U"GBP", U"英镑"},
    {U"JPY", U"日元"},
    {U"HKD", U"港元"},
    {U"rpm", U"转每分"},
    {U"bps", U"比特每秒"},
    {U"Kbps", U"千比特每秒"},
    {U"kbps", U"千比特每秒"},
    {U"Mbps", U"兆比特每秒"},
    {U"Gbps", U"吉比特每秒"},
    {U"fps", U"帧每秒"},
    {U"px", U"像素"},
    {U"㎡", U"平方米"},
    {U"㎥", U"立方米"},
    {U"㎏", U"千克"},
    {U"㎎", U"毫克"},
    {U"㎜", U"毫米"},
    {U"㎝", U"厘米"},
    {U"㎞", U"千米"},
    {U"㏄", U"毫升"},
    {U"cc", U"毫升"},
};

// What may stand after the stroke of a compound unit, or before it, in characters.
constexpr std::u32string_view kHanUnits[] = {
    U"平方米", U"立方米", U"平方公里", U"小时", U"分钟", U"公斤", U"千克", U"毫克",
    U"公里",   U"千米",   U"毫升",     U"美元", U"公顷", U"星期", U"元",   U"块",
    U"角",     U"分",     U"次",       U"人",   U"米",   U"个",   U"吨",   U"斤",
    U"克",     U"升",     U"天",       U"日",   U"周",   U"月",   U"年",   U"时",
    U"秒",     U"件",     U"台",       U"亩",   U"张",   U"条",   U"瓶",   U"盒",
    U"箱",     U"份",     U"只",       U"辆",   U"位",   U"晚",   U"点",   U"页",
    U"本",     U"套",     U"万",       U"亿",   U"度",   U"包",   U"袋",   U"间",
};

constexpr Row kCurrencies[] = {
    {U"US$", U"美元"},    {U"U.S.$", U"美元"}, {U"HK$", U"港元"}, {U"NT$", U"新台币"},
    {U"A$", U"澳元"},     {U"AU$", U"澳元"},   {U"C$", U"加元"},  {U"CA$", U"加元"},
    {U"S$", U"新加坡元"}, {U"R$", U"雷亚尔"},  {U"$", U"美元"},   {U"￥", U"元"},
    {U"¥", U"元"},        {U"€", U"欧元"},     {U"£", U"英镑"},   {U"₩", U"韩元"},
    {U"₽", U"卢布"},    {U"₹", U"卢比"},     {U"฿", U"泰铢"},   {U"₫", U"越南盾"},
    {U"USD", U"美元"},    {U"CNY", U"元"},     {U"RMB", U"元"},   {U"EUR", U"欧元"},
    {U"GBP", U"英镑"},    {U"JPY", U"日元"},   {U"HKD", U"港元"}, {U"JP¥", U"日元"},
    {U"CN¥", U"元"},
};

constexpr std::u32string_view kMeasures =
    U"个只条张本支把件块位名人天年周岁次遍趟倍层间座所家辆台部架艘瓶杯碗盘袋包盒箱桶罐份双对副套组"
    U"群"
    U"排行列段篇章首句页幅颗粒片枚朵棵株根头匹口门种类项样点分秒小刻米公千厘毫克吨斤里尺寸亩升元角"
    U"毛"
    U"站场轮局回顿阵步声眼方边侧者国岸极万亿百两枝筐串束滴笔束堆壶勺束缕丝成折星平立英加美欧港日帧"
    U"字"
    U"幢栋扇盏面封份节课门顶匹节粒则例处起桩宗批班度摄华像";

// Measures that count as well as they number; after a bare 2 they rather number: 2班, 2日, 2度.
constexpr std::u32string_view kNumbering = U"班日";

}  // namespace

Match MatchUnit(std::u32string_view text) {
  Match best;
  for (const auto& [written, spoken] : kUnits) {
    if (written.size() <= best.length || !text.starts_with(written)) continue;
    const char32_t next = text.size() > written.size() ? text[written.size()] : 0;
    if (IsAsciiLetter(next) || IsAsciiDigit(next)) continue;
    best = {written.size(), spoken};
  }
  // "5A级", "3W店": a grade, not amperes.
  if (best.spoken == U"安" && text.size() > 1 && text[1] == U'级') return {};
  return best;
}

namespace {

Match MatchHanUnit(std::u32string_view text) {
  for (const std::u32string_view unit : kHanUnits) {
    if (text.starts_with(unit)) return {unit.size(), unit};
  }
  return {};
}

}  // namespace

std::size_t ReadUnit(std::u32string_view text, std::u32string* spoken) {
  Match unit = MatchUnit(text);
  if (unit.length == 0) unit = MatchHanUnit(text);
  if (unit.length == 0) return 0;
  *spoken += unit.spoken;
  std::size_t length = unit.length;
  while (length + 1 < text.size() && text[length] == U'/') {
    Match divisor = MatchUnit(text.substr(length + 1));
    if (divisor.length == 0) divisor = MatchHanUnit(text.substr(length + 1));
    if (divisor.length == 0) break;
    *spoken += U'每';
    // A month as a span of time takes its measure word: 元/月.
    *spoken += divisor.spoken;
    length += 1 + divisor.length;
  }
  return length;
}

Match MatchCurrency(std::u32string_view text) {
  Match best;
  for (const auto& [written, spoken] : kCurrencies) {
    if (written.size() > best.length && text.starts_with(written)) best = {written.size(), spoken};
  }
  return best;
}

bool StartsWithMeasure(std::u32string_view text) {
  if (text.empty()) return false;
  if (text.starts_with(U"分之") || text.starts_with(U"点钟方向")) return false;
  if (text.starts_with(U"年级") || text.starts_with(U"日本") || text.starts_with(U"行字")) {
    return text.starts_with(U"行字");
  }
  return kMeasures.find(text[0]) != kMeasures.npos && kNumbering.find(text[0]) == kNumbering.npos;
}

}  // namespace timbre::text::mandarin
