#include "analysis/compare.h"

#include <gtest/gtest.h>

#include <random>

#include "analysis/side_example.h"
#include "runner/base/error.h"

namespace lab::analysis {
namespace {

const ExampleFigures kFaster = {{1000, 1012, 995, 1003}, {1200, 1211, 1190, 1206}};

const ComparedMetric& figure(const Comparison& comparison, const char* key, size_t row = 0) {
  for (const ComparedMetric& one : comparison.rows.at(row).metrics)
    if (one.metric->key == key) return one;
  throw std::runtime_error(std::string("no ") + key);
}

bool has_mark(const Comparison& comparison, const std::string& code) {
  return std::any_of(comparison.marks.begin(), comparison.marks.end(),
                     [&](const ComparisonMark& m) { return m.mark.mark.code == code; });
}

std::string refusal(const Side& a, const Side& b, const CompareOptions& options = {}) {
  try {
    compare(a, b, options);
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    return e.what();
  }
  return "";
}

TEST(Compare, CellsOfOneDirectoryInTheirBlocks) {
  const Comparison c =
      compare(example_side("/a", kFaster, "off"), example_side("/a", kFaster, "writeback"));
  EXPECT_TRUE(c.paired);
  EXPECT_TRUE(c.marks.empty());
  ASSERT_EQ(c.rows.size(), 1u);
  const ComparedMetric& iops = figure(c, "write_iops");
  EXPECT_NEAR(*iops.before, 1002.5, 0.1);
  EXPECT_NEAR(iops.judgement.ratio, 1.199, 0.002);
  EXPECT_EQ(iops.judgement.verdict, stats::Verdict::different);
  EXPECT_TRUE(iops.judgement.better);
  EXPECT_EQ(iops.judgement.text.substr(0, 62),
            "write IOPS of 4k-rbd_cache_writeback: 19.9% higher than 4k-rbd");
  // Lower is better for latency: shorter is no regression.
  EXPECT_TRUE(figure(c, "write_p99").judgement.better);
  EXPECT_FALSE(c.regression());
  EXPECT_EQ(c.rows[0].metrics.size(), 6u);
}

Side with_memory(bool restarted) {
  Side side = example_side("/a", kFaster, "writeback");
  for (RunFigures& run : side.table.runs) {
    const uint64_t megabytes = (run.record.cell == "writeback" ? 450 : 300) + run.record.index % 3;
    for (int osd = 0; osd < 2; ++osd) {
      results::OsdProcess process;
      process.osd = osd;
      process.rss_bytes = (megabytes + (osd ? 10 : 0)) << 20;
      run.record.osds.push_back(process);
    }
    if (restarted) run.record.unit = run.record.index;
  }
  for (TableRow& row : side.table.rows)
    for (Repetition& repetition : row.repetitions)
      if (restarted) repetition.unit = repetition.run;
  return side;
}

TEST(Compare, MemoryOfOsdsThatWereStartedForTheCell) {
  const Side after = with_memory(true);
  Side before = after;
  before.cell = "off";
  const Comparison comparison = compare(before, after);
  const ComparedMetric& memory = figure(comparison, "memory");
  EXPECT_NEAR(*memory.before / (1 << 20), 306, 1);
  EXPECT_NEAR(memory.judgement.ratio, 1.49, 0.01);
  EXPECT_EQ(memory.judgement.verdict, stats::Verdict::different);
  EXPECT_TRUE(memory.regression()) << "more memory is worse";
}

TEST(Compare, OsdsThatCellsShareHaveNoMemoryOfACell) {
  const Side after = with_memory(false);
  Side before = after;
  before.cell = "off";
  EXPECT_THROW(figure(compare(before, after), "memory"), std::runtime_error);
}

TEST(Compare, SlowerIsARegression) {
  const Comparison c =
      compare(example_side("/a", kFaster, "writeback"), example_side("/a", kFaster, "off"));
  EXPECT_TRUE(figure(c, "read_iops").regression());
  EXPECT_TRUE(figure(c, "read_p99").regression());
  EXPECT_TRUE(c.regression());
  CompareOptions wide;
  wide.margin = 0.3;
  EXPECT_FALSE(
      compare(example_side("/a", kFaster, "writeback"), example_side("/a", kFaster, "off"), wide)
          .regression())
      << "within the margin";
}

TEST(Compare, DirectoriesAreNotInterleavedAndSaidSo) {
  const ExampleFigures later = {{900, 911, 893, 905}, {1000, 1012, 995, 1003}};
  const Comparison c = compare(example_side("/a"), example_side("/b", later));
  EXPECT_FALSE(c.paired);
  EXPECT_TRUE(has_mark(c, "not-interleaved"));
  ASSERT_EQ(c.rows.size(), 2u) << "every cell that both have";
  EXPECT_TRUE(figure(c, "write_iops", 0).regression());
  EXPECT_EQ(figure(c, "write_iops", 0).judgement.text.substr(0, 60),
            "write IOPS of 4k-rbd_cache_off: 10.0% lower than before (95%");
  EXPECT_EQ(figure(c, "write_iops", 1).judgement.verdict, stats::Verdict::equivalent);
  // Two comparisons of a figure are corrected together.
  const Comparison alone = compare(example_side("/a", {}, "off"), example_side("/b", later, "off"));
  EXPECT_GT(figure(c, "write_iops", 0).judgement.p_holm,
            figure(alone, "write_iops", 0).judgement.p_holm);
}

// Whatever the figures are: a thing equals itself, and the sides can be swapped.
TEST(Compare, HoldsForAnyFigures) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> iops(7, 0.4);
  for (int round = 0; round < 12; ++round) {
    ExampleFigures figures;
    for (auto* cell : {&figures.off, &figures.writeback})
      for (double& value : *cell) value = iops(random);
    for (const char* cell : {"", "off", "writeback"}) {
      const Comparison self =
          compare(example_side("/a", figures, cell), example_side("/a", figures, cell));
      EXPECT_TRUE(has_mark(self, "same-runs"));
      for (const ComparedRow& row : self.rows)
        for (const ComparedMetric& one : row.metrics) {
          EXPECT_NE(one.judgement.verdict, stats::Verdict::different);
          EXPECT_NE(one.judgement.verdict, stats::Verdict::below_margin);
          EXPECT_NEAR(one.judgement.ratio, 1, 1e-12);
        }
      EXPECT_FALSE(self.regression());
    }
    for (const char* other : {"/a", "/b"}) {
      const Side a = example_side("/a", figures, "off");
      const Side b = example_side(other, figures, "writeback");
      const Comparison there = compare(a, b);
      const Comparison back = compare(b, a);
      for (const ComparedMetric& one : there.rows.at(0).metrics)
        EXPECT_NEAR(one.judgement.ratio * figure(back, one.metric->key.c_str()).judgement.ratio, 1,
                    1e-9)
            << one.metric->key;
    }
  }
}

TEST(Compare, RefusesOtherLoadsUnlessTold) {
  const Side a = example_side("/a", {}, "off");
  results::Plan plan = four_blocks();
  for (results::Row& row : plan.rows) row.iodepth = 32;
  Side b = example_side("/b", {}, "off", plan);
  *b.job += "iodepth=32\n";
  const std::string text = refusal(a, b);
  EXPECT_NE(text.find("job (nothing against iodepth=32), iodepth (16 against 32)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("--allow-different=job,iodepth"), std::string::npos) << text;
  CompareOptions options;
  options.allow_different = {"job"};
  EXPECT_NE(refusal(a, b, options).find("--allow-different=iodepth"), std::string::npos);
  options.allow_different.emplace_back("iodepth");
  const Comparison c = compare(a, b, options);
  EXPECT_TRUE(has_mark(c, "different-job"));
  EXPECT_TRUE(has_mark(c, "different-iodepth"));
}

TEST(Compare, AMatrixMayAskForAnotherLoad) {
  results::Plan plan = four_blocks();
  plan.rows[1].iodepth = 32;
  const Comparison c =
      compare(example_side("/a", {}, "off", plan), example_side("/a", {}, "writeback", plan));
  EXPECT_TRUE(has_mark(c, "asked-load"));
  EXPECT_TRUE(c.paired);
}

TEST(Compare, NothingInCommonIsRefused) {
  results::Plan plan = four_blocks();
  plan.cells[0].levels = {{"allocator", "glibc"}};
  plan.cells[1].levels = {{"allocator", "jemalloc"}};
  const Side a = example_side("/a");
  const Side b = example_side("/b", {}, "", plan);
  EXPECT_NE(refusal(a, b).find("have no cell in common"), std::string::npos);
  // Cells that were chosen are a pair whatever they are called.
  EXPECT_EQ(
      compare(example_side("/a", {}, "off"), example_side("/b", {}, "writeback", plan)).rows.size(),
      1u);
}

TEST(Compare, MarksOfTheComparedRowsCount) {
  Side a = example_side("/a", {}, "off");
  Side b = example_side("/a", {}, "writeback");
  for (Side* side : {&a, &b}) {
    side->table.marks = {{{results::Weight::invalid, "x", "of off"}, {1}},
                         {{results::Weight::doubtful, "y", "of writeback"}, {2}}};
    side->table.rows[0].marks = {0};
    side->table.rows[1].marks = {1};
  }
  const Comparison c = compare(a, b);
  EXPECT_TRUE(c.invalid());
  EXPECT_EQ(c.rows[0].before_marks, std::vector<size_t>({0}));
  EXPECT_EQ(c.rows[0].after_marks, std::vector<size_t>({1}));
  a.table.rows[0].marks.clear();
  EXPECT_FALSE(compare(a, b).invalid());
}

TEST(Compare, SingleRunsAreFiguresWithoutAVerdict) {
  const ExampleFigures one = {{1000}, {1100}};
  const Comparison c =
      compare(example_side("/a", one, "off"), example_side("/b", one, "writeback"));
  const ComparedMetric& iops = figure(c, "write_iops");
  EXPECT_EQ(iops.judgement.verdict, stats::Verdict::no_statement);
  EXPECT_NEAR(iops.judgement.ratio, 1.1, 1e-9);
}

TEST(Compare, MemoryOfTwoMeasurementsOsdAgainstOsd) {
  Side a = example_side("/a", {}, "off");
  Side b = example_side("/b", {}, "off");
  EXPECT_TRUE(compare(a, b).of_directories.empty()) << "nothing was sampled";
  constexpr double kMib = 1 << 20;
  a.memory.normal = {500 * kMib, 504 * kMib, 498 * kMib, 501 * kMib};
  b.memory.normal = {740 * kMib, 755 * kMib, 748 * kMib, 752 * kMib};
  const Comparison c = compare(a, b);
  ASSERT_EQ(c.of_directories.size(), 1u);
  EXPECT_EQ(c.of_directories[0].metric->key, "memory");
  EXPECT_NEAR(c.of_directories[0].judgement.ratio, 1.495, 0.002);
  EXPECT_TRUE(c.of_directories[0].regression()) << "more memory is worse";
  EXPECT_TRUE(c.regression());
  b.directory = a.directory;
  b.cell = "writeback";
  EXPECT_TRUE(compare(a, b).of_directories.empty()) << "its cells shared their OSDs";
}

// Runs under one restart of daemons are one sample (units.h), also without blocks.
TEST(Compare, ASharedRestartIsOneSample) {
  Side a = example_side("/a", {}, "off");
  TableRow& row = a.table.rows[0];
  const RowMetric& iops = row_metrics()[0];
  ASSERT_EQ(samples(iops, a.table, row).size(), 4u);
  for (size_t i = 0; i < 4; ++i) row.repetitions[i].unit = i < 2 ? 1 : 2;
  const std::vector<double> units = samples(iops, a.table, row);
  ASSERT_EQ(units.size(), 2u);
  EXPECT_NEAR(units[0], std::sqrt(1000.0 * 1012), 1e-6);
}

TEST(Compare, FailedIOsAreCounted) {
  Side b = example_side("/b", {}, "off");
  for (RunFigures& run : b.table.runs) run.phases[1].errors = 2;
  EXPECT_EQ(compare(example_side("/a", {}, "off"), b).rows[0].after_io_errors, 8u);
}

}  // namespace
}  // namespace lab::analysis
