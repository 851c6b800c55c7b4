#include "text/mandarin/readings_table.h"

namespace timbre::text::mandarin {
namespace {

constexpr std::pair<std::string_view, std::string_view> kTable[] = {
#include "text/mandarin/readings_table.inc"
};

}  // namespace

const std::span<const std::pair<std::string_view, std::string_view>> kOurReadings = kTable;

}  // namespace timbre::text::mandarin
