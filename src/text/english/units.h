// Units of measure after a number: "km/h" -> "kilometers per hour", "°C" -> "degrees Celsius".
#pragma once

#include <cstddef>
#include <string>

#include "text/english/scanner.h"

namespace timbre::text {

struct Unit {
  std::size_t length = 0;  // characters of the text, spaces before it included; 0: none here
  std::string words;
};

// The unit that stands `offset` places on, with at most one space before it. `one`: after
// exactly 1.
Unit FindUnit(const Scanner& scanner, std::size_t offset, bool one);

}  // namespace timbre::text
