#include "analysis/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lab::stats {

constexpr double failed_run = std::numeric_limits<double>::quiet_NaN();

TEST(GroupUnits, EveryRunItsOwnUnitIsTheTableOfRuns) {
  Blocks blocks = group_units(
      {{0, 0, 1, 0, 100}, {0, 1, 2, 1, 110}, {1, 1, 3, 2, 111}, {1, 0, 4, 3, 101}}, 2, 0);
  EXPECT_EQ(blocks.values.size(), 2u);
  EXPECT_NEAR(blocks.values[1][1], 111, 1e-9);
  EXPECT_EQ(blocks.times, (BlockTable{{0, 1}, {3, 2}}));
}

TEST(GroupUnits, RunsUnderOneRestartAreOneSample) {
  // Each allocator is started twice, and measured in two blocks each time.
  std::vector<UnitRun> runs;
  double time = 0;
  for (size_t restart : {0, 1})
    for (size_t cell : {0, 1})
      for (size_t pass : {0, 1})
        runs.push_back(
            {2 * restart + pass, cell, 10 * restart + cell, time++, pass == 0 ? 80.0 : 125.0});
  Blocks blocks = group_units(runs, 2, 0);
  ASSERT_EQ(blocks.values.size(), 2u);
  EXPECT_NEAR(blocks.values[0][0], 100, 1e-9);  // geometric mean
  EXPECT_NEAR(blocks.times[0][1], 2.5, 1e-12);
  EXPECT_EQ(analyse_blocks(blocks).df, 1);  // two restarts, however many runs
}

TEST(GroupUnits, FailedRunsKeepTheirUnitInItsPlace) {
  Blocks blocks = group_units({{0, 0, 1, 0, failed_run},
                               {1, 0, 1, 1, 90},
                               {0, 1, 2, 2, 50},
                               {1, 1, 2, 3, 50},
                               {2, 0, 3, 4, failed_run},
                               {2, 1, 4, 5, 60}},
                              2, 0);
  ASSERT_EQ(blocks.values.size(), 2u);
  EXPECT_NEAR(blocks.values[0][0], 90, 1e-9);
  EXPECT_TRUE(std::isnan(blocks.values[1][0]));
  EXPECT_NEAR(blocks.values[1][1], 60, 1e-9);
}

TEST(GroupUnits, ASecondUnitInABlockGetsItsOwnRow) {
  Blocks blocks = group_units({{0, 0, 1, 0, 100}, {0, 0, 2, 1, 104}, {0, 1, 3, 2, 50}}, 2, 0);
  ASSERT_EQ(blocks.values.size(), 2u);
  EXPECT_NEAR(blocks.values[0][1], 50, 1e-9);
  EXPECT_NEAR(blocks.values[1][0], 104, 1e-9);
  EXPECT_TRUE(std::isnan(blocks.values[1][1]));
}

}  // namespace lab::stats
