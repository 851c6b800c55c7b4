// Signs between words: & @ # + = ° × and marks.
#pragma once

#include "text/english/scanner.h"

namespace timbre::text {

// Takes exactly one sign or mark (or a run of dots), whatever it is.
void ReadSign(Scanner& scanner);

}  // namespace timbre::text
