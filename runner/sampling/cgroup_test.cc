#include "runner/sampling/cgroup.h"

#include <gtest/gtest.h>

namespace lab::sampling {
namespace {

TEST(MemoryCgroup, OfBothVersions) {
  EXPECT_EQ(memory_cgroup("0::/system.slice/ceph-osd@0.service\n"),
            "/system.slice/ceph-osd@0.service");
  EXPECT_EQ(memory_cgroup("5:cpu,cpuacct:/a\n4:memory:/system.slice/ceph-osd@0.service\n"
                          "1:name=systemd:/b\n0::/c\n"),
            "/memory/system.slice/ceph-osd@0.service")
      << "where both are mounted, memory is counted by version 1";
  EXPECT_EQ(memory_cgroup("0::/a:b\n"), "/a:b");
}

TEST(MemoryCgroup, TheRootAndWhatLiesOutsideAreNone) {
  EXPECT_FALSE(memory_cgroup("0::/\n"));
  EXPECT_FALSE(memory_cgroup("0::/../other\n"));
  EXPECT_FALSE(memory_cgroup("5:cpu:/a\n"));
  EXPECT_FALSE(memory_cgroup("rubbish"));
  EXPECT_FALSE(memory_cgroup(""));
}

TEST(CgroupAnon, OfBothVersions) {
  EXPECT_EQ(parse_cgroup_anon("anon 4096\nfile 8192\n"), 4096u);
  EXPECT_EQ(parse_cgroup_anon("cache 8192\nrss 4096\nrss_huge 0\n"), 4096u);
  EXPECT_FALSE(parse_cgroup_anon("anon_thp 4096\nfile 1\n"));
  EXPECT_FALSE(parse_cgroup_anon("anon x\n"));
}

TEST(OwnMemoryStat, AProcessThatHasEndedHasNone) { EXPECT_FALSE(own_memory_stat({0x7ffffffe, 1})); }

}  // namespace
}  // namespace lab::sampling
