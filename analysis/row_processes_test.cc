#include "analysis/row_processes.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

results::OsdProcess osd(int id, uint64_t rss, uint64_t peak, std::optional<uint64_t> cache = {}) {
  return {id, "tcmalloc", "libgoogle-perftools4", "2.10-1", cache, rss, peak};
}

class RowProcessesTest : public testing::Test {
 protected:
  void add(unsigned run, std::vector<results::OsdProcess> osds) {
    RunFigures figures;
    figures.record.index = run;
    figures.record.osds = std::move(osds);
    table_.runs.push_back(std::move(figures));
    row_.repetitions.emplace_back();
    row_.repetitions.back().run = run;
  }
  Table table_;
  TableRow row_;
};

TEST_F(RowProcessesTest, MeanOfAllAndTheHighestPeak) {
  add(1, {osd(0, 100, 900, 64), osd(1, 200, 300, 64)});
  add(4, {osd(0, 300, 400, 64), osd(1, 400, 500, 64)});
  const RowProcesses got = row_processes(table_, row_);
  EXPECT_EQ(got.mean_rss, 250);
  EXPECT_EQ(got.peak_rss, 900);
  EXPECT_EQ(got.thread_cache_bytes, 64);
  EXPECT_EQ(got.allocator_version, "libgoogle-perftools4 2.10-1");
}

TEST_F(RowProcessesTest, DifferingThreadCachesAreNotOne) {
  add(1, {osd(0, 1, 1, 64), osd(1, 1, 1, 128)});
  EXPECT_FALSE(row_processes(table_, row_).thread_cache_bytes);
}

TEST_F(RowProcessesTest, NothingRecordedIsNothing) {
  add(1, {});
  const RowProcesses got = row_processes(table_, row_);
  EXPECT_FALSE(got.mean_rss);
  EXPECT_FALSE(got.peak_rss);
  EXPECT_EQ(got.allocator_version, "");
}

}  // namespace
}  // namespace lab::analysis
