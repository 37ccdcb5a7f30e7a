#include "results/recovery.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"

namespace lab::results {
namespace {

RecoveryRecord example() {
  RecoveryRecord r;
  r.method = "stop";
  r.osds = {2};
  r.phases = {{"baseline", 0, "2026-12-01T10:00:00.000Z"},
              {"failure", 30.5, "2026-12-01T10:00:30.500Z"},
              {"recovering", 40, "2026-12-01T10:00:40.000Z"}};
  r.end_s = 90;
  r.end = "2026-12-01T10:01:30.000Z";
  r.degraded_gone_s = 70;
  r.clean_s = 72.25;
  r.recovered_objects = 10;
  r.recovered_bytes = 41943040;
  r.options["osd_max_backfills"] = {"1", "default"};
  r.looks_missed = 3;
  r.samples_missed["osd.2"] = 50;
  return r;
}

TEST(RecoveryRecord, IsReadBackAsItWasWritten) {
  const TemporaryDirectory dir;
  EXPECT_FALSE(load_recovery(dir.path()));
  save_recovery(dir.path(), example());
  EXPECT_TRUE(has_recovery(dir.path()));
  EXPECT_EQ(load_recovery(dir.path()), example());
}

TEST(RecoveryRecord, APhaseEndsWhereTheNextBegins) {
  const RecoveryRecord r = example();
  EXPECT_EQ(r.end_of("baseline"), 30.5);
  EXPECT_EQ(r.end_of("recovering"), 90);
  EXPECT_FALSE(r.end_of("clean"));
  EXPECT_EQ(r.phase("failure")->begin_s, 30.5);
  EXPECT_EQ(r.phase("clean"), nullptr);
}

TEST(RecoveryPoints, AreReadBackAndDamagedLinesCounted) {
  const TemporaryDirectory dir;
  const RecoveryPoint first{1.5, 10, 20, 3, 400, 500};
  {
    RecoveryLog log(dir.path());
    log.add(first);
    log.add({2.5, 0, 0, 0, 401, 501});
  }
  const fs::path file = dir.path() / "recovery.csv";
  write_file_atomically(file, read_file(file) + "x,1,2,3,4,5\r\n3.5,1,2,3,4,5\r\n4.5,1");
  RecoveryPoints points(dir.path());
  RecoveryPoint point;
  ASSERT_TRUE(points.next(point));
  EXPECT_EQ(point, first);
  ASSERT_TRUE(points.next(point));
  ASSERT_TRUE(points.next(point));
  EXPECT_EQ(point.time_s, 3.5);
  EXPECT_FALSE(points.next(point));
  EXPECT_EQ(points.damaged().count, 1u);
  EXPECT_EQ(points.damaged().first, 4u);
}

}  // namespace
}  // namespace lab::results
