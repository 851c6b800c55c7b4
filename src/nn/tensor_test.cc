#include "nn/tensor.h"

#include <gtest/gtest.h>

namespace timbre::nn {
namespace {

TEST(Tensor, GrowsAndDropsRows) {
  Tensor t;
  for (float i = 0; i < 5; ++i) t.AppendRow(std::vector<float>{i, 10 * i});
  EXPECT_EQ(t.rows(), 5);
  t.DropFrontRows(2);
  EXPECT_EQ(t.at(0, 1), 20.0f);
  EXPECT_EQ(t.Rows(1, 3).at(1, 0), 4.0f);
  Tensor copy = t;
  copy.at(0, 0) = -1;
  EXPECT_EQ(t.at(0, 0), 2.0f);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data()) % 64, 0u);
}

}  // namespace
}  // namespace timbre::nn
