#include "analysis/fio_text_line.h"

#include <gtest/gtest.h>

#include "analysis/fio_text_number.h"

namespace lab::analysis {

TEST(FioCount, ReadsPowersOfThousand) {
  EXPECT_DOUBLE_EQ(*parse_fio_count("250"), 250);
  EXPECT_DOUBLE_EQ(*parse_fio_count("11.8k"), 11800);
  EXPECT_DOUBLE_EQ(*parse_fio_count("1234.5K"), 1234500);
  EXPECT_DOUBLE_EQ(*parse_fio_count(" 1.2M "), 1.2e6);
  for (const char* text : {"", "k", "-3", "1.2.3", "12 x", "nan", "inf", "1e5"})
    EXPECT_FALSE(parse_fio_count(text)) << text;
}

TEST(FioBytes, KeepsTheMeaningsOfKApart) {
  EXPECT_DOUBLE_EQ(*parse_fio_bytes("46184KB/s", true), 46184.0 * 1024);
  EXPECT_DOUBLE_EQ(*parse_fio_bytes("48.4MB/s", false), 48.4e6);
  EXPECT_DOUBLE_EQ(*parse_fio_bytes("46.1MiB/s", false), 46.1 * 1048576);
  EXPECT_DOUBLE_EQ(*parse_fio_bytes("94.5Mibit/s", false), 94.5 * 1048576 / 8);
  EXPECT_DOUBLE_EQ(*parse_fio_bytes("8Mbit/s", false), 1e6);
  EXPECT_DOUBLE_EQ(*parse_fio_bytes("0", false), 0);
  for (const char* text : {"", "MB", "12QB", "5B/s/s", "1 2"})
    EXPECT_FALSE(parse_fio_bytes(text, false)) << text;
}

TEST(FioStart, ReadsOldAndNewBlockSizes) {
  auto old = parse_fio_start(
      "volume: (g=0): rw=randwrite, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=128");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->name, "volume");
  EXPECT_EQ(old->options["bs"], "4K");
  EXPECT_EQ(old->options["iodepth"], "128");
  auto now = parse_fio_start(
      "a: (g=1): rw=randrw, bs=(R) 4096B-64.0KiB, (W) 8192B-8192B, (T) 4096B-4096B, "
      "ioengine=rbd, iodepth=16");
  ASSERT_TRUE(now);
  EXPECT_EQ(now->options["bs"], "4096B-64.0KiB");
  EXPECT_EQ(now->options["ioengine"], "rbd");
}

TEST(FioHeading, ReadsErrorsAndStrangeNames) {
  auto heading = parse_fio_heading(
      "odd: (groupid=7, x): job: (groupid=1, jobs=4): err=110 (file:io_u.c:1432, func=max latency "
      "exceeded, error=Connection timed out): pid=2407: Mon Nov 30 20:36:20 2026");
  ASSERT_TRUE(heading);
  EXPECT_EQ(heading->name, "odd: (groupid=7, x): job");
  EXPECT_EQ(heading->group, 1u);
  EXPECT_EQ(heading->jobs, 4u);
  EXPECT_EQ(heading->error, 110);
  EXPECT_EQ(heading->pid, "2407");
  EXPECT_FALSE(parse_fio_heading("job: (groupid=x, jobs=1): err= 0"));
  EXPECT_FALSE(parse_fio_heading("job: (groupid=0, jo"));
}

TEST(FioResult, ReadsOldAndNewForms) {
  auto old = parse_fio_result("read : io=20412MB, bw=348341KB/s, iops=87085 , runt=  6004msec");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->way, "read");
  EXPECT_DOUBLE_EQ(*old->iops, 87085);
  EXPECT_DOUBLE_EQ(*old->bytes, 20412.0 * 1048576);
  EXPECT_EQ(*old->runtime_ms, 6004u);
  auto now = parse_fio_result(
      "write: IOPS=11.8k, BW=46.1MiB/s (48.4MB/s)(924MiB/20021msec); 0 zone resets");
  ASSERT_TRUE(now);
  EXPECT_DOUBLE_EQ(*now->iops, 11800);
  EXPECT_DOUBLE_EQ(*now->bytes_per_s, 46.1 * 1048576);
  EXPECT_DOUBLE_EQ(*now->bytes, 924.0 * 1048576);
  EXPECT_EQ(*now->runtime_ms, 20021u);
}

TEST(FioResult, KeepsWhatIsLeftOfADamagedLine) {
  auto cut = parse_fio_result("write: IOPS=11.8k, BW=46.1MiB/s (48.4M");
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->iops);
  EXPECT_TRUE(cut->bytes_per_s);
  EXPECT_FALSE(cut->runtime_ms);
  EXPECT_FALSE(parse_fio_result("WRITE: bw=14.8MiB/s"));
  EXPECT_FALSE(parse_fio_result("write: nothing"));
}

TEST(FioLatency, TellsFiguresFromDistributions) {
  auto clat = parse_fio_latency("clat (usec): min=14, max=3079.4k, avg=33.11, stdev=27.29");
  ASSERT_TRUE(clat);
  EXPECT_EQ(clat->kind, "clat");
  EXPECT_EQ(clat->max_ns, 3079400000u);
  EXPECT_DOUBLE_EQ(clat->mean_ns, 33110);
  auto old = parse_fio_latency("clat (msec): min=97 , max=20501 , avg=779.12, stdev= 0.55");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->min_ns, 97000000u);
  EXPECT_FALSE(parse_fio_latency("lat (usec)   : 20=1.09%, 50=76.52%"));
  auto damaged = parse_fio_latency("clat (usec): min=14, max=30");
  ASSERT_TRUE(damaged);
  EXPECT_FALSE(damaged->readable);
}

TEST(FioPercentiles, ReadsLinesAndSaysWhatIsDamaged) {
  FioTextPercentileLine line =
      parse_fio_percentiles("|  1.00th=[    21], 99.00th=[ 18744], 99.9900th=[111674]");
  EXPECT_FALSE(line.damaged);
  EXPECT_EQ(line.values,
            (std::vector<std::pair<double, double>>{{1, 21}, {99, 18744}, {99.99, 111674}}));
  FioTextPercentileLine cut = parse_fio_percentiles("| 10.00th=[  22], 20.00th=[  2");
  EXPECT_TRUE(cut.damaged);
  EXPECT_EQ(cut.values.size(), 1u);
  EXPECT_TRUE(parse_fio_percentiles("| x.00th=[  22], 130.00th=[  2]").damaged);
}

TEST(FioIssued, ReadsAllFourForms) {
  for (const char* line : {"issued r/w/d: total=1/2/3, short=4/5/6",
                           "issued    : total=r=1/w=2/d=3, short=r=4/w=5/d=6",
                           "issued rwt: total=1,2,3, short=4,5,6, dropped=0,0,0",
                           "issued rwts: total=1,2,3 short=4,5,6 dropped=7,8,9"}) {
    auto issued = parse_fio_issued(line);
    ASSERT_TRUE(issued) << line;
    EXPECT_EQ(issued->total, (std::vector<uint64_t>{1, 2, 3})) << line;
    EXPECT_EQ(issued->shorted, (std::vector<uint64_t>{4, 5, 6})) << line;
  }
}

TEST(FioGroupTotal, ReadsBothForms) {
  EXPECT_DOUBLE_EQ(
      parse_fio_group_total("WRITE: bw=1MiB/s (1MB/s), io=29.6MiB (31.1MB), run=1-2msec")->bytes,
      29.6 * 1048576);
  auto old = parse_fio_group_total("READ: io=20412MB, aggrb=348341KB/s, minb=1KB/s");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->way, "read");
  EXPECT_DOUBLE_EQ(old->bytes, 20412.0 * 1048576);
  EXPECT_FALSE(parse_fio_group_total("vda: ios=1/2, merge=0/0"));
}

}  // namespace lab::analysis
