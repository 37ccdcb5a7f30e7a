#include "runner/fio/eta.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(ParseEta, TakesTheLastLine) {
  auto f = parse_eta(
      "Jobs: 1 (f=1)\rJobs: 1 (f=1): [m(1)][75.0%][r=6049MiB/s,w=6044MiB/s][r=1549k,w=1547k "
      "IOPS][eta 00m:01s]\rJobs: 1 (f=1): [m(1)][100.0%][r=5579MiB/s,w=5586MiB/s][r=1428,w=1.5M "
      "IOPS][eta 00m:00s] \r");
  ASSERT_TRUE(f);
  EXPECT_DOUBLE_EQ(f->read_iops, 1428);
  EXPECT_DOUBLE_EQ(f->write_iops, 1.5e6);
  EXPECT_DOUBLE_EQ(f->done, 1);
}

TEST(ParseEta, ReadsOneDirection) {
  auto f = parse_eta("Jobs: 1 (f=1): [w(1)][10.0%][w=4KiB/s][w=871 IOPS][eta 00m:01s]\r");
  ASSERT_TRUE(f);
  EXPECT_DOUBLE_EQ(f->read_iops, 0);
  EXPECT_DOUBLE_EQ(f->write_iops, 871);
  EXPECT_DOUBLE_EQ(f->done, 0.1);
}

TEST(ParseEta, HasNoFiguresBeforeTheFirst) {
  EXPECT_FALSE(parse_eta(""));
  EXPECT_FALSE(parse_eta("Jobs: 1 (f=1)\rJobs: 1 (f=1)\r"));
  EXPECT_FALSE(parse_eta("[r=banana IOPS]"));
  EXPECT_FALSE(parse_eta(" IOPS]"));
}

}  // namespace
}  // namespace lab
