#include "analysis/multiple.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::stats {

// R 4.2.2: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.2), "holm").
TEST(Holm, AgreesWithR) {
  std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005, 0.2});
  std::vector<double> expected = {0.040, 0.090, 0.090, 0.025, 0.200};
  ASSERT_EQ(adjusted.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
}

TEST(Holm, LeavesOneComparisonAloneAndStopsAtOne) {
  EXPECT_EQ(holm({0.03}), std::vector<double>{0.03});
  EXPECT_EQ(holm({0.9, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(Holm, DoesNotCountWhatCouldNotBeCompared) {
  std::vector<double> adjusted = holm({0.02, std::nan(""), 0.3});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.04);
  EXPECT_TRUE(std::isnan(adjusted[1]));
  EXPECT_DOUBLE_EQ(adjusted[2], 0.3);
}

}  // namespace lab::stats
