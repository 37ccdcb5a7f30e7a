#include "runner/witness/host_sight.h"

#include <gtest/gtest.h>

namespace lab::witness {
namespace {

TEST(HostSight, ReadsItsLinesOfVmstat) {
  HostSight sight;
  read_vmstat("nr_free_pages 5\npswpin 17\npswpout 23\npswpinx 1\noom_kill 2\n", sight);
  EXPECT_EQ(sight.pages_swapped_in, 17u);
  EXPECT_EQ(sight.pages_swapped_out, 23u);
  EXPECT_EQ(sight.oom_kills, 2u);
}

TEST(HostSight, GuestTimeIsNotCountedTwice) {
  HostSight sight;
  read_cpu_line("cpu  100 5 20 1000 50 1 4 20 30 0\ncpu0 1 2 3\n", sight);
  EXPECT_EQ(sight.cpu_ticks, 1200u);
  EXPECT_EQ(sight.idle_ticks, 1050u);
  EXPECT_EQ(sight.stolen_ticks, 20u);
}

TEST(HostSight, WhatIsMissingStaysAsItIs) {
  HostSight sight;
  read_vmstat("", sight);
  read_cpu_line("", sight);
  EXPECT_EQ(sight, HostSight{});
}

TEST(HostSight, OfThisHostCountsOn) {
  const HostSight first = look_at_host();
  const HostSight second = look_at_host();
  EXPECT_GT(first.cpu_ticks, 0u);
  EXPECT_GE(second.cpu_ticks, first.cpu_ticks);
}

}  // namespace
}  // namespace lab::witness
