#include "analysis/comparability.h"

#include <gtest/gtest.h>

#include "analysis/side_example.h"

namespace lab::analysis {
namespace {

std::vector<std::string> things(const Side& a, const Side& b) {
  std::vector<std::string> out;
  for (const Incomparable& thing : incomparable(a, a.table.rows[0], b, b.table.rows[0])) {
    out.push_back(thing.thing);
    const auto& known = comparable_things();
    EXPECT_NE(std::find(known.begin(), known.end(), thing.thing), known.end()) << thing.thing;
  }
  return out;
}

TEST(JobWithoutComments, KeepsWhatFioReads) {
  EXPECT_EQ(job_without_comments("# a\n[global]\n bs = 4k ; why\n\n\ttime_based#x\r\n"),
            "[global]\nbs=4k\ntime_based\n");
  EXPECT_EQ(job_without_comments(""), "");
}

TEST(ImageSize, IsReadFromTheConditions) {
  EXPECT_EQ(image_size({{"image", "rbd/lab-1, 2 GiB, objects of 4 MiB, written whole before"}}),
            "2 GiB, objects of 4 MiB");
  EXPECT_EQ(image_size({{"image size", "1 GiB"}}), "1 GiB");
  EXPECT_EQ(image_size({{"device", "/dev/vdb, 10 GiB, the first 2 GiB written before"}}), "10 GiB");
  EXPECT_EQ(image_size({{"image", "odd"}}), "");
  EXPECT_EQ(image_size({}), "");
}

TEST(Incomparable, CommentsAreNoDifference) {
  Side a = example_side("/a");
  Side b = example_side("/b");
  EXPECT_TRUE(things(a, b).empty());
  b.job = "# another comment\n" + *b.job;
  EXPECT_TRUE(things(a, b).empty());
  b.job.reset();
  EXPECT_TRUE(things(a, b).empty()) << "what is not recorded is not held against it";
}

TEST(Incomparable, EveryThingIsNamed) {
  Side a = example_side("/a");
  Side b = example_side("/b");
  *b.job += "iodepth=32\n";
  results::Row& row = b.table.rows[0].plan;
  row.type = "rand w";
  row.block_bytes = 8192;
  row.iodepth = 32;
  row.numjobs = 4;
  a.table.manifest.conditions.emplace_back("image size", "1 GiB");
  b.table.manifest.conditions.emplace_back("image", "rbd/x, 2 GiB");
  EXPECT_EQ(things(a, b), comparable_things());
  const auto found = incomparable(a, a.table.rows[0], b, b.table.rows[0]);
  EXPECT_EQ(found[0].before, "nothing") << "the first line that differs";
  EXPECT_EQ(found[0].after, "iodepth=32");
}

TEST(Incomparable, OneDirectoryHasOneJob) {
  Side a = example_side("/a");
  Side b = example_side("/a");
  *b.job += "x=1\n";
  EXPECT_TRUE(things(a, b).empty());
}

}  // namespace
}  // namespace lab::analysis
