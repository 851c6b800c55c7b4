// Web and mail addresses, said sign by sign: "example dot com slash help".
#pragma once

#include "text/english/scanner.h"

namespace timbre::text {

// At the start of a run of characters without spaces.
bool ReadAddress(Scanner& scanner);

}  // namespace timbre::text
