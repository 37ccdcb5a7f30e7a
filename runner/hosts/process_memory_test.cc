#include "runner/hosts/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

#include "runner/base/process.h"

namespace lab::hosts {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(MemoryStatusOf, AnOsd) {
  std::optional<MemoryStatus> found = parse_memory_status(
      "Name:\tceph-osd\nVmPeak:\t  900000 kB\nVmHWM:\t  523264 kB\nVmRSS:\t   98304 kB\n"
      "RssAnon:\t   65536 kB\nRssFile:\t   32768 kB\nThreads:\t61\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rss_bytes, 96 * kMiB);
  EXPECT_EQ(found->peak_rss_bytes, 511 * kMiB);
  EXPECT_EQ(found->rss_anon_bytes, 64 * kMiB);
  EXPECT_EQ(found->threads, 61u);
}

TEST(MemoryStatusOf, WhatHasNoMemoryHasNoStatus) {
  EXPECT_FALSE(parse_memory_status(""));
  EXPECT_FALSE(parse_memory_status("Name:\tx\nState:\tZ (zombie)\nThreads:\t1\n"));
  EXPECT_FALSE(parse_memory_status("VmHWM: x kB\nVmRSS: 1 kB\nRssAnon: 1 kB\nThreads: 1\n"));
}

TEST(MemoryRollupOf, AnOsd) {
  const std::optional<MemoryRollup> found = parse_memory_rollup(
      "55d0c0000000-7ffd00000000 ---p 00000000 00:00 0    [rollup]\nRss:   98304 kB\n"
      "Pss:   90000 kB\nPss_Anon:   65536 kB\nPss_File:  1 kB\nAnonHugePages:   2048 kB\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pss_anon_bytes, 64 * kMiB);
  EXPECT_EQ(found->anon_huge_pages_bytes, 2 * kMiB);
  EXPECT_FALSE(parse_memory_rollup("Pss: 1 kB\nAnonHugePages: 0 kB\n"));
}

TEST(ReadMemoryStatus, OfThisProcess) {
  std::optional<MemoryStatus> found = read_memory_status(getpid());
  ASSERT_TRUE(found);
  EXPECT_GT(found->rss_bytes, kMiB);
  EXPECT_GT(found->rss_anon_bytes, 0u);
  EXPECT_LT(found->rss_anon_bytes, found->rss_bytes);
  std::thread other([&] { EXPECT_GE(read_memory_status(getpid())->threads, found->threads + 1); });
  other.join();
  EXPECT_FALSE(read_memory_status(0x7ffffffe));
}

TEST(PeakRss, StaysUntilItIsReset) {
  constexpr size_t bytes = 64 * kMiB;
  const uint64_t before = read_memory_status(getpid())->rss_bytes;
  void* area = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  ASSERT_NE(area, MAP_FAILED);
  ASSERT_EQ(munmap(area, bytes), 0);
  EXPECT_GT(read_memory_status(getpid())->peak_rss_bytes, before + bytes - 4 * kMiB);
  ASSERT_TRUE(reset_peak_rss(getpid()));
  EXPECT_LT(read_memory_status(getpid())->peak_rss_bytes, before + bytes / 2);
  EXPECT_FALSE(reset_peak_rss(0x7ffffffe));
}

}  // namespace
}  // namespace lab::hosts
