#include "base/error.h"

#include <gtest/gtest.h>

namespace timbre {
namespace {

Result<int> Half(int x) {
  if (x % 2) return Fail(ErrorCode::kInvalidArgument, "odd", "{} is odd", x);
  return x / 2;
}

Result<int> Quarter(int x) {
  TIMBRE_ASSIGN(int half, Half(x));
  TIMBRE_TRY(Half(half));
  return half / 2;
}

TEST(Error, TravelsUpUnchanged) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).error().message, "3 is odd");
  EXPECT_EQ(Quarter(7).error().reason, "odd");
  EXPECT_STREQ(ErrorCodeName(Quarter(7).error().code), "invalid_argument");
}

}  // namespace
}  // namespace timbre
