#include "runner/plan/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace lab {
namespace {

std::vector<int> block(const std::vector<ScheduledRun>& runs, int number) {
  std::vector<int> cells;
  for (const ScheduledRun& run : runs)
    if (run.block == number) cells.push_back(run.cell);
  return cells;
}

TEST(Schedule, EachBlockHasEveryCellOnce) {
  auto runs = make_schedule(5, 4, 7);
  ASSERT_EQ(runs.size(), 20u);
  for (int b = 1; b <= 4; ++b) {
    auto cells = block(runs, b);
    EXPECT_EQ(std::set<int>(cells.begin(), cells.end()).size(), 5u);
  }
}

TEST(Schedule, EverySecondBlockMirrorsTheOneBefore) {
  auto runs = make_schedule(6, 4, 1);
  for (int b : {1, 3}) {
    auto first = block(runs, b);
    auto second = block(runs, b + 1);
    std::reverse(second.begin(), second.end());
    EXPECT_EQ(first, second);
  }
  for (const auto& run : runs) EXPECT_TRUE(run.mirrored);
}

TEST(Schedule, EachPairGivesEveryCellTheSameMeanPlace) {
  auto runs = make_schedule(4, 2, 3);
  for (int cell = 0; cell < 4; ++cell) {
    int sum = 0;
    for (const auto& run : runs)
      if (run.cell == cell) sum += run.index;
    EXPECT_EQ(sum, 9);
  }
}

TEST(Schedule, AnOddLastBlockHasNoMirror) {
  for (const auto& run : make_schedule(3, 3, 5)) EXPECT_EQ(run.mirrored, run.block < 3);
}

TEST(Schedule, TheSeedAndNothingElseDecides) {
  auto order = [](uint64_t seed) { return block(make_schedule(8, 2, seed), 1); };
  EXPECT_EQ(order(11), order(11));
  EXPECT_NE(order(11), order(12));
}

}  // namespace
}  // namespace lab
