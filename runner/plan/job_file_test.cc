#include "runner/plan/job_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/complaint.h"

namespace lab {
namespace {

constexpr const char* kJob = R"(# two phases
[global]
ioengine=libaio   ; the engine
blocksize=4k
direct=1

[w]
rw=randwrite
size = 10G
stonewall

[global]
iodepth=8

[r]
readwrite=randread
bs=8k
wait_for_previous
)";

TEST(JobFile, ReadsSectionsWithTheGlobalsBeforeThem) {
  JobFile job = JobFile::parse(kJob, "j.fio");
  EXPECT_EQ(job.sections(), (std::vector<std::string>{"w", "r"}));
  EXPECT_EQ(job.value(0, "bs"), "4k");
  EXPECT_EQ(job.value(1, "bs"), "8k");
  EXPECT_EQ(job.value(1, "rw"), "randread");
  EXPECT_EQ(job.value(0, "iodepth"), std::nullopt) << "a later [global] is not in force";
  EXPECT_EQ(job.number(1, "iodepth", 1), 8u);
  EXPECT_EQ(job.number(0, "size", 0), 10ull << 30);
  EXPECT_TRUE(job.flag(0, "stonewall"));
  EXPECT_TRUE(job.flag(1, "stonewall"));
  EXPECT_EQ(job.value(0, "ioengine"), "libaio");
}

TEST(JobFile, RewritesNoMoreThanAskedAndSaysWhat) {
  JobFile job = JobFile::parse(kJob, "j.fio");
  job.drop({"ioengine"});
  job.change("size", [](const std::string&) { return std::optional<std::string>("2G"); });
  job.add_global("target rbd", {{"ioengine", "external:/x.so"}, {"time_based", ""}});
  EXPECT_EQ(job.text(), R"(# two phases
[global]
# lab dropped: ioengine=libaio   ; the engine
blocksize=4k
direct=1
# lab: target rbd
ioengine=external:/x.so
time_based

[w]
rw=randwrite
size=2G  # lab: was size = 10G
stonewall

[global]
iodepth=8

[r]
readwrite=randread
bs=8k
wait_for_previous
)");
  EXPECT_EQ(job.value(1, "ioengine"), "external:/x.so");
  // What was written reads back as the same.
  JobFile again = JobFile::parse(job.text(), "again");
  EXPECT_EQ(again.value(0, "size"), "2G");
  EXPECT_EQ(again.text(), job.text());
}

TEST(JobFile, MakesAGlobalSectionWhereThereIsNone) {
  JobFile job = JobFile::parse("[a]\nrw=read\n", "j.fio");
  job.add_global("x", {{"bs", "4k"}});
  EXPECT_EQ(job.text(), "[global]\n# lab: x\nbs=4k\n\n[a]\nrw=read\n");
  EXPECT_EQ(job.value(0, "bs"), "4k");
}

TEST(JobFile, ExpandsTheEnvironmentLikeFio) {
  setenv("LAB_TEST_BS", "16k", 1);
  JobFile job = JobFile::parse("[a]\nbs=${LAB_TEST_BS}\nsize=${LAB_TEST_UNSET}1G\n", "j.fio");
  EXPECT_EQ(job.value(0, "bs"), "16k");
  EXPECT_EQ(job.value(0, "size"), "1G");
}

TEST(JobFile, BadFilesNameTheLine) {
  EXPECT_EQ(complaint([] { JobFile::parse("rw=read\n[a]\n", "j.fio"); }),
            "j.fio:1: option \"rw=read\" stands before any section");
  EXPECT_EQ(complaint([] { JobFile::parse("[a\n", "j.fio"); }),
            "j.fio:1: section name without closing ']': [a");
  EXPECT_EQ(complaint([] { JobFile::parse("# nothing\n", "j.fio"); }),
            "j.fio: no job in it; a job is a section such as [randwrite]");
  EXPECT_EQ(complaint([] { JobFile::parse("[a]\ninclude no-such.inc\n", "j.fio"); }),
            "j.fio:2: included file ./no-such.inc does not exist");
  EXPECT_EQ(
      complaint([] { JobFile::parse("[a]\niodepth=many\n", "j.fio").number(0, "iodepth", 1); }),
      "j.fio: section [a]: \"iodepth\" is no number: many");
}

}  // namespace
}  // namespace lab
