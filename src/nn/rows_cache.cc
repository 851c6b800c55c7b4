#include "nn/rows_cache.h"

#include <bit>

namespace timbre::nn {

std::int64_t RowBucket(std::int64_t rows) {
  if (rows <= 16) return rows;
  const int octave = std::bit_width(static_cast<std::uint64_t>(rows)) - 1;
  const std::int64_t step = std::int64_t{1} << (octave - 3);
  return (rows + step - 1) / step * step;
}

}  // namespace timbre::nn
