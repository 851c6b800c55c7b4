#include "text/phone_table.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace timbre::text {
namespace {

constexpr std::array<std::string_view, kPhoneCount> kNames = {
#include "text/phone_table.inc"
};

constexpr std::array<short, kPhoneCount> SortedIds() {
  std::array<short, kPhoneCount> ids{};
  for (int id = 0; id < kPhoneCount; ++id)
    ids[static_cast<std::size_t>(id)] = static_cast<short>(id);
  std::ranges::sort(ids, {}, [](short id) { return kNames[static_cast<std::size_t>(id)]; });
  return ids;
}

}  // namespace

std::optional<int> PhoneId(std::string_view name) {
  static const std::array<short, kPhoneCount> ids = SortedIds();
  const auto by_name = [](short id) { return kNames[static_cast<std::size_t>(id)]; };
  const auto found = std::ranges::lower_bound(ids, name, {}, by_name);
  if (found == ids.end() || by_name(*found) != name) return std::nullopt;
  return *found;
}

std::optional<std::string_view> PhoneName(int id) {
  if (id < 0 || id >= kPhoneCount) return std::nullopt;
  return kNames[static_cast<std::size_t>(id)];
}

}  // namespace timbre::text
