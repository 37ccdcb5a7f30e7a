#include "analysis/imported_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/render/renderer.h"

namespace lab::analysis {

namespace {

ImportedFile test_file(const std::string& name) {
  return import_fio_file(fs::path(LAB_TESTDATA) / "import" / name);
}

// One write step and one read step, as fio 2.2 printed them.
ImportedFile volume(const std::string& name, unsigned write_iops, unsigned read_iops) {
  std::string text;
  for (const char* rw : {"randwrite", "randread"})
    text +=
        fmt::format("{0}: (g={1}): rw={0}, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=128\n",
                    rw, rw[4] == 'w' ? 0 : 1);
  text += "fio-2.2.10\n";
  for (bool write : {true, false}) {
    unsigned iops = write ? write_iops : read_iops;
    text += fmt::format(
        "{}: (groupid={}, jobs=1): err= 0: pid={}: Tue Nov 14 10:21:07 2017\n"
        "  {}: io={}KB, bw={}KB/s, iops={}, runt= 60000msec\n"
        "  cpu          : usr=1.00%, sys=2.00%, ctx=1, majf=0, minf=1\n"
        "     issued    : total=r={}/w={}/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0\n",
        write ? "randwrite" : "randread", write ? 0 : 1, write ? 11 : 12, write ? "write" : "read ",
        iops * 240, iops * 4, iops, write ? 0 : iops * 60, write ? iops * 60 : 0);
  }
  return import_fio(text, name);
}

std::vector<std::string> mark_codes(const Table& table, const std::vector<size_t>& marks) {
  std::vector<std::string> codes;
  for (size_t mark : marks) codes.push_back(table.marks.at(mark).mark.code);
  return codes;
}

bool contains(const std::vector<std::string>& codes, const std::string& code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

TEST(ImportedTable, IsTheOperatorsTableOfNotes) {
  Table table = imported_table({volume("notes/rbd_cache_true.txt", 10777, 13604),
                                volume("notes/rbd_cache_false.txt", 10539, 28141),
                                volume("notes/writethrough.txt", 660, 19887)});
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].test, "rbd_cache_true");
  EXPECT_TRUE(table.rows[0].baseline);
  EXPECT_EQ(table.rows[0].plan.type, "rand rw");
  EXPECT_EQ(table.rows[0].plan.block_bytes, 4096u);
  EXPECT_EQ(table.rows[0].plan.iodepth, 128u);
  EXPECT_NEAR(*table.rows[2].write.iops, 660, 1e-6);
  EXPECT_NEAR(*table.rows[1].read.iops, 28141, 1e-6);
  EXPECT_NEAR(*table.rows[1].read.difference_percent, (28141.0 / 13604 - 1) * 100, 1e-6);
  for (const TableRow& row : table.rows) {
    EXPECT_EQ(row.write.verdict(), "");
    EXPECT_FALSE(contains(mark_codes(table, row.marks), "far-off-reads"));
  }
  EXPECT_TRUE(table.findings.empty());
  EXPECT_TRUE(contains(mark_codes(table, table.general_marks), "imported"));
  for (const std::string& format : format_names())
    EXPECT_NE(make_renderer(*format_from_text(format))->render(table).find("rbd_cache_false"),
              std::string::npos)
        << format;
}

TEST(ImportedTable, MarksReadsThatNoDiskGave) {
  Table table = imported_table({volume("tcmalloc-128.txt", 10355, 87073),
                                volume("tcmalloc-256.txt", 9926, 30893),
                                volume("jemalloc.txt", 14034, 30165)});
  EXPECT_TRUE(contains(mark_codes(table, table.rows[0].marks), "far-off-reads"));
  EXPECT_FALSE(contains(mark_codes(table, table.rows[1].marks), "far-off-reads"));
  EXPECT_FALSE(contains(mark_codes(table, table.rows[2].marks), "far-off-reads"));
  EXPECT_EQ(table.worst_mark(), results::Weight::doubtful);
}

TEST(ImportedTable, RunsInOneFileAreItsRepetitions) {
  Table table = imported_table({test_file("appended.txt")});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0].repetitions.size(), 2u);
  EXPECT_EQ(table.rows[0].plan.type, "rand mixed");
  EXPECT_TRUE(table.rows[0].read.spread_percent);
}

TEST(ImportedTable, ShapesDecideWhichStepsShareARow) {
  // Writes with one job and reads with two are two rows.
  Table table = imported_table({test_file("three-formats.txt")});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].plan.type, "rand w");
  EXPECT_EQ(table.rows[1].plan.type, "rand r");
  EXPECT_EQ(table.rows[1].plan.numjobs, 2u);
  // What fio printed as its 99th percentile.
  EXPECT_NEAR(*table.rows[1].read.p99_ms,
              static_cast<double>(
                  test_file("three-formats.txt").runs[0].jobs[1].read.clat.percentiles_ns.at(99)) /
                  1e6,
              1e-9);
}

TEST(ImportedTable, AFileWithoutResultsIsARowThatSaysSo) {
  Table table = imported_table({volume("good.txt", 100, 200), import_fio("nonsense\n", "bad.txt")});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_FALSE(table.rows[1].write.iops);
  EXPECT_TRUE(contains(mark_codes(table, table.rows[1].marks), "import"));
  EXPECT_TRUE(imported_table({}).rows.empty());
}

TEST(ImportedTable, FilesOfTheSameNameKeepTheirFolders) {
  Table table = imported_table({volume("a/x.txt", 1, 2), volume("b/x.txt", 1, 2)});
  EXPECT_EQ(table.rows[0].test, "a/x.txt");
  EXPECT_EQ(table.rows[1].test, "b/x.txt");
}

TEST(ImportedTable, TerseFilesHaveNoShapeButFigures) {
  Table table = imported_table({test_file("terse-v3.txt"), test_file("terse-v5.txt")});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].plan.type, "rw");
  EXPECT_GT(*table.rows[0].write.iops, 0);
  EXPECT_GT(*table.rows[1].read.iops, 0);
  EXPECT_TRUE(table.rows[1].write.p99_ms);
}

// One job that reads, as text.
std::string text_output(const char* rw, const char* size, unsigned iops) {
  bool write = std::string(rw).ends_with("write");
  return fmt::format(
      "job: (g=0): rw={}, bs={}, ioengine=libaio, iodepth=1\n"
      "fio-2.2.10\n"
      "job: (groupid=0, jobs=1): err= 0: pid=11: Tue Nov 14 10:21:07 2017\n"
      "  {}: io={}KB, bw={}KB/s, iops={}, runt= 60000msec\n"
      "  cpu          : usr=1.00%, sys=2.00%, ctx=1, majf=0, minf=1\n"
      "     issued    : total=r={}/w={}/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0\n",
      rw, size, write ? "write" : "read ", iops * 240, iops * 4, iops, write ? 0 : iops * 60,
      write ? iops * 60 : 0);
}

std::string json_output(const std::string& options, unsigned ios, unsigned bytes) {
  return fmt::format(
      "{{\"fio version\": \"fio-3.33\", \"timestamp\": 1, \"jobs\": [{{\"jobname\": \"job\", "
      "\"job options\": {{{}}}, \"read\": {{\"total_ios\": {}, \"io_bytes\": {}, "
      "\"runtime\": 1000, \"iops\": {}}}}}]}}\n",
      options, ios, bytes, ios);
}

std::string import_marks(const Table& table, const TableRow& row) {
  std::string texts;
  for (size_t mark : row.marks) {
    const results::Mark& one = table.marks.at(mark).mark;
    if (one.code != "import") continue;
    EXPECT_EQ(one.weight, results::Weight::doubtful);
    texts += one.text + "\n";
  }
  return texts;
}

TEST(ImportedTable, SaysWhichOutputIsNoRepetition) {
  std::string read = text_output("read", "1M-1M/1M-1M/1M-1M", 100);
  for (const std::string& other : {text_output("randwrite", "4K-4K/4K-4K/4K-4K", 700),
                                   text_output("read", "4K-4K/4K-4K/4K-4K", 700)}) {
    Table table = imported_table({import_fio(read + other, "x.txt")});
    ASSERT_EQ(table.rows.size(), 1u);
    EXPECT_EQ(table.rows[0].repetitions.size(), 1u);
    EXPECT_NEAR(*table.rows[0].read.iops, 100, 1e-9);
    std::string marks = import_marks(table, table.rows[0]);
    EXPECT_NE(marks.find("x.txt:9: the fio output that begins here does something else"),
              std::string::npos)
        << marks;
    EXPECT_NE(marks.find("line 3 (seq r 1m iodepth 1 numjobs 1)"), std::string::npos) << marks;
  }
  Table equal = imported_table({import_fio(read + read, "x.txt")});
  EXPECT_EQ(equal.rows.at(0).repetitions.size(), 2u);
  EXPECT_EQ(import_marks(equal, equal.rows[0]), "");
}

TEST(ImportedTable, SaysWhichJsonDocumentIsNoRepetition) {
  Table table = imported_table({import_fio(
      json_output("\"bs\": \"4k\"", 100, 409600) + json_output("\"bs\": \"8k\"", 200, 1638400),
      "x.json")});
  EXPECT_NEAR(*table.rows.at(0).read.iops, 100, 1e-9);
  EXPECT_NE(import_marks(table, table.rows[0]).find("x.json:2: "), std::string::npos);
}

TEST(ImportedTable, BlockSizesThatNobodyToldAreNotMixed) {
  struct Case {
    std::string options;
    unsigned bytes;
    uint64_t block_bytes;
    bool told;
  };
  for (const Case& one :
       {Case{"", 409600, 4096, true}, Case{"", 409601, 0, false}, Case{"", 819200, 0, false},
        Case{"\"bssplit\": \"4k/50:8k/50\"", 614400, 0, true},
        Case{"\"blocksize\": \"8k\"", 819200, 8192, true}}) {
    Table table = imported_table({import_fio(json_output(one.options, 100, one.bytes), "x")});
    EXPECT_EQ(table.rows.at(0).plan.block_bytes, one.block_bytes) << one.options << one.bytes;
    EXPECT_EQ(table.rows[0].plan.block_told, one.told) << one.options << one.bytes;
  }
  Table terse = imported_table({test_file("terse-v3.txt"), import_fio("nonsense\n", "bad.txt")});
  for (const TableRow& row : terse.rows) EXPECT_FALSE(row.plan.block_told);
  std::string text = make_renderer(*format_from_text("table"))->render(terse);
  EXPECT_EQ(text.find("mixed"), std::string::npos) << text;
  EXPECT_NE(text.find("(?)"), std::string::npos) << text;
}

}  // namespace lab::analysis
