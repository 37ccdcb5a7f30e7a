#include "runner/plan/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace lab {
namespace {

// Every cell is applied by itself.
std::vector<int> separate(int cells) {
  std::vector<int> plots(static_cast<size_t>(cells));
  std::iota(plots.begin(), plots.end(), 0);
  return plots;
}

std::vector<int> block(const std::vector<ScheduledRun>& runs, int number) {
  std::vector<int> cells;
  for (const ScheduledRun& run : runs)
    if (run.block == number) cells.push_back(run.cell);
  return cells;
}

TEST(Schedule, EachBlockHasEveryCellOnce) {
  auto runs = make_schedule(separate(5), 4, 7);
  ASSERT_EQ(runs.size(), 20u);
  for (int b = 1; b <= 4; ++b) {
    auto cells = block(runs, b);
    EXPECT_EQ(std::set<int>(cells.begin(), cells.end()).size(), 5u);
  }
}

TEST(Schedule, EverySecondBlockMirrorsTheOneBefore) {
  auto runs = make_schedule(separate(6), 4, 1);
  for (int b : {1, 3}) {
    auto first = block(runs, b);
    auto second = block(runs, b + 1);
    std::reverse(second.begin(), second.end());
    EXPECT_EQ(first, second);
  }
  for (const auto& run : runs) EXPECT_TRUE(run.mirrored);
}

TEST(Schedule, EachPairGivesEveryCellTheSameMeanPlace) {
  auto runs = make_schedule(separate(4), 2, 3);
  for (int cell = 0; cell < 4; ++cell) {
    int sum = 0;
    for (const auto& run : runs)
      if (run.cell == cell) sum += run.index;
    EXPECT_EQ(sum, 9);
  }
}

TEST(Schedule, AnOddLastBlockHasNoMirror) {
  for (const auto& run : make_schedule(separate(3), 3, 5)) EXPECT_EQ(run.mirrored, run.block < 3);
}

TEST(Schedule, TheSeedAndNothingElseDecides) {
  auto order = [](uint64_t seed) { return block(make_schedule(separate(8), 2, seed), 1); };
  EXPECT_EQ(order(11), order(11));
  EXPECT_NE(order(11), order(12));
}

TEST(Schedule, CellsOfARestartStandTogetherAndEachBlockRestartsAnew) {
  // Cells 0, 2, 4 under one restart, 1, 3, 5 under the other.
  const auto runs = make_schedule({0, 1, 0, 1, 0, 1}, 4, 9);
  ASSERT_EQ(runs.size(), 24u);
  for (size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].plot, static_cast<int>(i / 3) + 1);
    EXPECT_EQ(runs[i].cell % 2, runs[i - i % 3].cell % 2);
  }
  for (int b : {1, 3}) {
    auto first = block(runs, b);
    std::reverse(first.begin(), first.end());
    EXPECT_EQ(first, block(runs, b + 1));
  }
}

}  // namespace
}  // namespace lab
