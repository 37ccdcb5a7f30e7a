#include "analysis/write_tables.h"

#include <gtest/gtest.h>

#include "results/example.h"
#include "results/writer.h"
#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

TEST(WriteTables, ReplacesTheFourFilesAfterEveryRun) {
  TemporaryDirectory temporary;
  results::ResultWriter w = results::ResultWriter::create(
      temporary.path(), results::example_manifest(), results::example_plan(), "");
  write_tables(w.directory());
  std::string before = read_file(w.directory() / "table.csv");
  EXPECT_NE(before.find("pending"), std::string::npos);
  fs::path fixture = fs::path(LAB_TESTDATA) / "cache/runs/0001-b1-off";
  fs::copy(fixture / "fio.json", w.begin_run(1) / "fio.json");
  results::RunRecord record;
  record.index = 1;
  w.finish_run(record);
  Table table = write_tables(w.directory());
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

}  // namespace
}  // namespace lab::analysis
