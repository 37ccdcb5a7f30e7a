#include "runner/plan/rewrite.h"

#include <gtest/gtest.h>

#include "runner/plan/shape.h"
#include "tests/complaint.h"

namespace lab {
namespace {

JobFile job(const std::string& text) { return JobFile::parse(text, "j.fio"); }

TEST(ScaleSizes, CapsWhatIsLargerAndLeavesTheRest) {
  JobFile j = job("[a]\nfilesize=10G\n[b]\nsize=1G\n[c]\nsize=50%\n");
  scale_sizes(j, 2ull << 30);
  EXPECT_EQ(j.value(0, "filesize"), "2g");
  EXPECT_EQ(j.value(1, "size"), "1G");
  EXPECT_EQ(j.value(2, "size"), "50%");
}

TEST(ScaleSizes, RefusesAnOffsetBeyondTheLimit) {
  JobFile j = job("[a]\nsize=1G\noffset=8G\n");
  EXPECT_EQ(complaint([&] { scale_sizes(j, 2ull << 30); }),
            "j.fio: offset and size reach to 9 GiB, but there are 2 GiB only (size_limit of the "
            "inventory, or the device); lower the offsets");
}

TEST(RunFor, AJobRunsForAsLongAsItsLoadIsWanted) {
  JobFile j =
      job("[global]\nramp_time=5\n[a]\nnumber_ios=100\nloops=3\nruntime=2\n[b]\nio_size=1m\n");
  run_for(j, 90);
  for (const size_t section : {0, 1}) {
    EXPECT_EQ(j.value(section, "runtime"), "90");
    EXPECT_TRUE(j.flag(section, "time_based"));
    for (const char* end : {"number_ios", "loops", "io_size", "ramp_time"})
      EXPECT_FALSE(j.value(section, end)) << end;
  }
}

TEST(OverrideRuntime, HoldsInEverySection) {
  JobFile j = job("[global]\nruntime=60\n[a]\nruntime=5\n[b]\n");
  override_runtime(j, 7.5);
  EXPECT_EQ(j.value(0, "runtime"), "7500ms");
  EXPECT_EQ(j.value(1, "runtime"), "7500ms");
  override_runtime(j, 30 * 86400);
  EXPECT_EQ(j.value(0, "runtime"), "2592000");
}

TEST(Retarget, LeavesNothingThatPointsElsewhere) {
  JobFile j = job("[global]\nioengine=libaio\n[a]\nfilename=/data/x\nrw=read\nioengine=sync\n");
  retarget(j, "rbd", {{"ioengine", "external:/e.so"}, {"pool", "p"}});
  EXPECT_EQ(j.value(0, "ioengine"), "external:/e.so");
  EXPECT_EQ(j.value(0, "pool"), "p");
  EXPECT_EQ(j.value(0, "filename"), std::nullopt);
  EXPECT_EQ(j.value(0, "rw"), "read");
}

TEST(ApplyJobOptions, WinsOverTheSections) {
  JobFile j = job("[a]\niodepth=1\n[b]\n");
  apply_job_options(j, {JobOptions{{{"iodepth", "32"}}}, CacheMode{"off"}});
  EXPECT_EQ(j.number(0, "iodepth", 1), 32u);
  EXPECT_EQ(j.number(1, "iodepth", 1), 32u);
}

TEST(FioSize, IsExact) {
  EXPECT_EQ(fio_size(2ull << 30), "2g");
  EXPECT_EQ(fio_size(4097), "4097");
  EXPECT_EQ(fio_size(1536), "1536");
  EXPECT_EQ(fio_size(3072), "3k");
}

}  // namespace
}  // namespace lab
