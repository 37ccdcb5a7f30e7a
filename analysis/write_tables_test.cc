#include "analysis/write_tables.h"

#include <gtest/gtest.h>

#include "analysis/render/renderer.h"
#include "results/example.h"
#include "results/writer.h"
#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

TEST(WriteTables, ReplacesTheFourFilesAfterEveryRun) {
  TemporaryDirectory temporary;
  results::ResultWriter w = results::ResultWriter::create(
      temporary.path(), results::example_manifest(), results::example_plan(), "");
  LiveTables(w.directory()).update();
  std::string before = read_file(w.directory() / "table.csv");
  EXPECT_NE(before.find("pending"), std::string::npos);
  fs::path fixture = fs::path(LAB_TESTDATA) / "cache/runs/0001-b1-off";
  fs::copy(fixture / "fio.json", w.begin_run(1) / "fio.json");
  results::RunRecord record;
  record.index = 1;
  w.finish_run(record);
  Table table = LiveTables(w.directory()).update();
  EXPECT_NEAR(*table.rows[0].write.iops, 1383.3, 0.1);
  std::string after = read_file(w.directory() / "table.csv");
  EXPECT_NE(after.find("1383.33"), std::string::npos);
  // The row numbers stand as they stood before the first run.
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'),
            std::count(after.begin(), after.end(), '\n'));
  EXPECT_NE(read_file(w.directory() / "table.txt").find("1383/6877 (4k)"), std::string::npos);
  EXPECT_NE(read_file(w.directory() / "table.md").find("1383/6877 (4k)"), std::string::npos);
  EXPECT_NE(read_file(w.directory() / "tidy.csv").find("randread,read,iops,1/s,6877."),
            std::string::npos);
}

class LiveTablesTest : public ::testing::Test {
 protected:
  // Ends a run with the output of the test data's first one, or as failed.
  fs::path finish(unsigned index, bool ok = true) {
    const fs::path folder = writer_.begin_run(index);
    fs::copy(fs::path(LAB_TESTDATA) / "cache/runs/0001-b1-off/fio.json", folder / "fio.json");
    results::RunRecord record;
    record.index = index;
    record.ok = ok;
    return writer_.finish_run(record);
  }

  TemporaryDirectory temporary_;
  results::ResultWriter writer_ = results::ResultWriter::create(
      temporary_.path(), results::example_manifest(), results::example_plan(), "");
};

TEST_F(LiveTablesTest, ReadsEachRunOnce) {
  LiveTables tables(writer_.directory());
  const fs::path first = finish(1);
  EXPECT_EQ(tables.update().rows[0].repetitions.size(), 1u);
  fs::remove(first / "fio.json");
  finish(4);
  const Table both = tables.update();
  EXPECT_EQ(both.rows[0].repetitions.size(), 2u);
  EXPECT_EQ(both.rows[0].repetitions_failed, 0u);
  EXPECT_EQ(both.rows[0].write.clat.total(), 2 * both.runs[0].phases[0].write->ios);
}

TEST_F(LiveTablesTest, IsWhatAReportMakesOfTheDirectory) {
  LiveTables tables(writer_.directory());
  for (unsigned index : {2, 1, 4, 3}) {
    finish(index);
    const Table live = tables.update();
    const Table again = load_table(results::ResultReader::load(writer_.directory()));
    for (const std::string& format : format_names())
      EXPECT_EQ(make_renderer(*format_from_text(format))->render(live),
                make_renderer(*format_from_text(format))->render(again));
  }
}

TEST_F(LiveTablesTest, FollowsANewPlan) {
  LiveTables tables(writer_.directory());
  finish(1);
  tables.update();
  results::Plan longer = writer_.plan();
  longer.runs.push_back({5, "off", 3, 1, false});
  writer_.replan(longer);
  finish(5);
  const Table table = tables.update();
  EXPECT_EQ(table.rows[0].repetitions_planned, 3u);
  EXPECT_EQ(table.rows[0].repetitions.size(), 2u);
}

TEST_F(LiveTablesTest, TakesTheLastAttempt) {
  LiveTables tables(writer_.directory());
  finish(1, false);
  finish(2);
  EXPECT_EQ(tables.update().rows[0].repetitions_failed, 1u);
  finish(1);
  const Table table = tables.update();
  EXPECT_EQ(table.rows[0].repetitions_failed, 0u);
  EXPECT_EQ(table.rows[0].repetitions.size(), 1u);
  EXPECT_EQ(table.rows[1].write.clat.total(), table.runs[1].phases[0].write->ios);
}

}  // namespace
}  // namespace lab::analysis
