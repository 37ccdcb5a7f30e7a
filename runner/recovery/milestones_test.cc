#include "runner/recovery/milestones.h"

#include <gtest/gtest.h>

namespace lab::recovery {
namespace {

results::RecoveryPoint point(double time_s, uint64_t degraded, uint64_t misplaced, uint64_t pgs) {
  results::RecoveryPoint p;
  p.time_s = time_s;
  p.degraded_objects = degraded;
  p.misplaced_objects = misplaced;
  p.unclean_pgs = pgs;
  return p;
}

TEST(Milestones, TellsWhenEachWasGoneForGood) {
  Milestones m(1);
  m.add(point(0, 0, 0, 0));
  m.add(point(10, 50, 0, 8));  // the failure
  m.begin(20);
  m.add(point(21, 40, 90, 8));
  m.add(point(22, 0, 60, 7));
  m.add(point(23, 5, 60, 7));  // once more
  m.add(point(24, 0, 20, 3));
  m.add(point(25, 0, 0, 1));
  m.add(point(26, 0, 0, 0));
  EXPECT_FALSE(m.over());
  m.add(point(28, 0, 0, 0));
  EXPECT_FALSE(m.over());
  m.add(point(29, 0, 0, 0));
  EXPECT_TRUE(m.over());
  EXPECT_TRUE(m.moved());
  EXPECT_EQ(m.degraded_gone_s(), 24);
  EXPECT_EQ(m.misplaced_gone_s(), 25);
  EXPECT_EQ(m.clean_s(), 26);
}

TEST(Milestones, CleanBeforeTheStatisticsHaveCaughtUpIsNotTheEnd) {
  Milestones m(1);
  for (int t = 0; t <= 10; ++t) m.add(point(t, 0, 0, 0));
  m.begin(10);
  for (int t = 11; t <= 20; ++t) m.add(point(t, 0, 0, 0));
  EXPECT_FALSE(m.over());
  m.add(point(21, 0, 300, 12));
  m.add(point(22, 0, 0, 0));
  EXPECT_FALSE(m.over());
  m.add(point(25, 0, 0, 0));
  EXPECT_TRUE(m.over());
  EXPECT_EQ(m.clean_s(), 22);
  EXPECT_FALSE(m.degraded_gone_s()) << "there were none";
}

TEST(Milestones, NothingToRecoverComesToAnEnd) {
  Milestones m(1);
  m.begin(0);
  for (int t = 1; t <= 30; ++t) m.add(point(t, 0, 0, 0));
  EXPECT_TRUE(m.over());
  EXPECT_FALSE(m.moved());
  EXPECT_FALSE(m.clean_s());
}

TEST(Milestones, SlowStatisticsAreWaitedFor) {
  Milestones m(5);
  m.begin(0);
  m.add(point(1, 0, 9, 3));
  m.add(point(2, 0, 0, 0));
  m.add(point(16, 0, 0, 0));
  EXPECT_FALSE(m.over());
  m.add(point(17, 0, 0, 0));
  EXPECT_TRUE(m.over());
}

}  // namespace
}  // namespace lab::recovery
