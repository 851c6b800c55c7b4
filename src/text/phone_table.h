// The phone inventory of GPT-SoVITS v2: 732 names, the id is the place in the table (English
// ARPAbet, Mandarin initials and finals with tones, Japanese, Korean, Cantonese, marks).
// Source: RVC-Boss/GPT-SoVITS, text symbols of v2. Functions are pure; any thread may call them.
#pragma once

#include <optional>
#include <string_view>

namespace timbre::text {

inline constexpr int kPhoneCount = 732;

// The id of a phone name, or nothing when the table has no such name.
std::optional<int> PhoneId(std::string_view name);

// The name of an id, or nothing outside 0..kPhoneCount-1.
std::optional<std::string_view> PhoneName(int id);

}  // namespace timbre::text
