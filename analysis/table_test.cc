#include "analysis/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "results/example.h"

namespace lab::analysis {
namespace {

using results::Weight;

RunFigures run(unsigned index, const std::string& cell, double w, double r) {
  RunFigures f;
  f.record.index = index;
  f.record.cell = cell;
  f.usable = true;
  f.phases.resize(2);
  f.phases[0].write = DirectionFigures{.ios = 100, .runtime_s = 1, .iops = w, .counted_iops = w};
  f.phases[0].write->clat = Histogram{{1'000'000, 990}, {9'000'000, 10}};
  f.phases[1].read = DirectionFigures{.ios = 100, .runtime_s = 1, .iops = r, .counted_iops = r};
  f.phases[1].read->clat = Histogram{{500'000, 100}};
  return f;
}

std::vector<RunFigures> four_runs() {
  return {run(1, "off", 1000, 5000), run(2, "writeback", 4000, 5000),
          run(3, "writeback", 4000, 5000), run(4, "off", 1210, 5000)};
}

Table build(std::vector<RunFigures> runs, const results::Plan& plan = results::example_plan()) {
  return build_table(results::example_manifest(), plan, std::move(runs));
}

bool has_mark(const Table& table, const TableRow& row, const std::string& code) {
  for (size_t mark : row.marks)
    if (table.marks[mark].mark.code == code) return true;
  return false;
}

TEST(BuildTable, TakesTheGeometricMeanAndItsSpread) {
  Table t = build(four_runs());
  ASSERT_EQ(t.rows.size(), 2u);
  const TableRow& off = t.rows[0];
  EXPECT_EQ(off.test, "4k-rbd_cache_off");
  EXPECT_NEAR(*off.write.iops, 1100, 1e-6);
  EXPECT_NEAR(*off.write.spread_percent, 10, 1e-6);
  EXPECT_NEAR(*off.read.spread_percent, 0, 1e-9);
  EXPECT_EQ(off.repetitions.size(), 2u);
  EXPECT_FALSE(off.pending());
  EXPECT_FALSE(t.worst_mark());
}

// However a measurement is cut into jobs and repetitions, and in whatever order its parts
// come, its percentiles are those of the whole.
TEST(BuildTable, ARowWithoutAnyFigureIsNoRepetition) {
  results::Plan plan = results::example_plan();
  plan.rows[0].write_phase.reset();
  plan.rows[0].read_phase.reset();
  const Table table = build_table(results::example_manifest(), plan, four_runs());
  EXPECT_TRUE(table.rows[0].repetitions.empty());
  EXPECT_EQ(table.rows[0].repetitions_failed, 2u);
}

TEST(BuildTable, PercentilesDoNotDependOnTheSplit) {
  std::mt19937_64 random(20261130);
  std::lognormal_distribution<double> latency(13, 0.8);
  for (int round = 0; round < 20; ++round) {
    results::Plan plan = results::example_plan();
    plan.runs.clear();
    std::vector<FioOutput> outputs(1 + random() % 4);
    for (FioOutput& output : outputs) {
      output.jobs.resize(2 + random() % 6);
      // The first two jobs give every output both directions; jobs of many hosts are alike.
      for (size_t i = 0; i < output.jobs.size(); ++i) {
        output.jobs[i].name = i == 0 || (i > 1 && random() % 2) ? "randwrite" : "randread";
        output.jobs[i].host = fmt::format("host{}", i);
      }
    }
    Histogram writes, reads;
    for (int i = 0; i < 3000; ++i) {
      FioOutput& output = outputs[random() % outputs.size()];
      FioJob& job = output.jobs[random() % output.jobs.size()];
      const bool write = job.name == "randwrite";
      const uint64_t bin = static_cast<uint64_t>(latency(random)) & ~0xfffull;
      FioDirection& direction = write ? job.write : job.read;
      direction.clat.bins.add(bin, 1);
      direction.runtime_ms = 1000;
      ++direction.total_ios;
      (write ? writes : reads).add(bin, 1);
    }
    std::vector<RunFigures> runs;
    for (unsigned i = 0; i < outputs.size(); ++i) {
      plan.runs.push_back({i + 1, "off", i + 1, 1, true});
      results::RunRecord record;
      record.index = i + 1;
      record.cell = "off";
      runs.push_back(measure(record, plan, outputs[i], nullptr));
    }
    std::shuffle(runs.begin(), runs.end(), random);
    const Table t = build(std::move(runs), plan);
    ASSERT_EQ(t.rows[0].write.clat, writes);
    ASSERT_EQ(t.rows[0].read.clat, reads);
    ASSERT_EQ(t.rows[0].write.p99_ms, static_cast<double>(*writes.percentile_ns(99)) / 1e6);
  }
}

TEST(BuildTable, RunsOfSeveralClustersAreMarked) {
  auto runs = four_runs();
  for (RunFigures& run : runs) run.record.fsid = "a";
  EXPECT_TRUE(build(runs).general_marks.empty());
  runs[3].record.fsid = "b";
  Table t = build(std::move(runs));
  ASSERT_EQ(t.general_marks.size(), 1u);
  EXPECT_EQ(t.marks[t.general_marks[0]].mark.code, "several-clusters");
}

TEST(BuildTable, ComparesWithTheBaselineOfTheSameLoad) {
  Table t = build(four_runs());
  EXPECT_TRUE(t.rows[0].baseline);
  EXPECT_FALSE(t.rows[0].write.difference_percent);
  EXPECT_NEAR(*t.rows[1].write.difference_percent, 100 * (4000.0 / 1100 - 1), 1e-6);
  EXPECT_NEAR(*t.rows[1].read.difference_percent, 0, 1e-9);
  results::Plan plan = results::example_plan();
  plan.rows[1].iodepth = 1;  // as where iodepth is the factor
  EXPECT_TRUE(build(four_runs(), plan).rows[1].write.difference_percent);
  plan.rows[1].write_phase.reset();
  EXPECT_FALSE(build(four_runs(), plan).rows[1].write.difference_percent);
}

TEST(BuildTable, P99IsOfAllRepetitionsTogether) {
  auto runs = four_runs();
  runs[3].phases[0].write->clat = Histogram{{20'000'000, 1000}};
  Table t = build(std::move(runs));
  EXPECT_DOUBLE_EQ(*t.rows[0].write.p99_ms, 20);
  EXPECT_DOUBLE_EQ(*t.rows[1].write.p99_ms, 1);
}

TEST(BuildTable, AP99OfSomeRepetitionsOnlyIsNone) {
  auto runs = four_runs();
  runs[3].phases[0].write->clat = {};
  EXPECT_FALSE(build(std::move(runs)).rows[0].write.p99_ms);
}

TEST(BuildTable, KeepsRawFiguresBesideTheCountedOnes) {
  auto runs = four_runs();
  for (size_t i : {1u, 2u}) {
    runs[i].phases[0].flush_s = 1;
    runs[i].phases[0].write->counted_iops = 2000;
  }
  Table t = build(std::move(runs));
  EXPECT_NEAR(*t.rows[1].write.iops, 2000, 1e-6);
  EXPECT_NEAR(*t.rows[1].write.raw_iops, 4000, 1e-6);
  EXPECT_DOUBLE_EQ(t.rows[1].flush_s, 1);
  EXPECT_DOUBLE_EQ(*t.rows[1].repetitions[0].raw_write_iops, 4000);
}

TEST(BuildTable, StandsCompleteBeforeTheFirstRun) {
  Table t = build({});
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(t.rows[1].plan.row, 3u);
  EXPECT_TRUE(t.rows[0].pending());
  EXPECT_FALSE(t.rows[0].write.iops);
  EXPECT_TRUE(t.rows[0].write.planned);
  EXPECT_TRUE(has_mark(t, t.rows[0], "pending"));
  EXPECT_EQ(t.worst_mark(), Weight::note);
}

TEST(BuildTable, AFailedRunIsNotAZero) {
  auto runs = four_runs();
  runs[0].usable = false;
  runs[0].phases.clear();
  runs[0].marks = {{Weight::doubtful, "failed-run", "failed"}};
  Table t = build(runs);
  EXPECT_NEAR(*t.rows[0].write.iops, 1210, 1e-6);
  EXPECT_FALSE(t.rows[0].write.spread_percent);
  EXPECT_EQ(t.rows[0].repetitions_failed, 1u);
  EXPECT_FALSE(t.rows[0].pending());
  EXPECT_EQ(t.worst_mark(), Weight::doubtful);
  runs[3] = runs[0];
  runs[3].record.index = 4;
  t = build(runs);
  EXPECT_TRUE(has_mark(t, t.rows[0], "no-figures"));
  EXPECT_FALSE(t.rows[1].write.difference_percent);
  EXPECT_EQ(t.worst_mark(), Weight::invalid);
}

TEST(BuildTable, MarksOfAPhaseReachOnlyRowsThatUseIt) {
  results::Plan plan = results::example_plan();
  plan.rows = {{2, "off", "rand w", 4096, 16, 1, 0, {}}, {3, "off", "rand r", 4096, 16, 1, {}, 1}};
  auto runs = four_runs();
  runs[0].phases[1].marks = {{Weight::doubtful, "zero-reads", "zero"}};
  Table t = build(std::move(runs), plan);
  EXPECT_FALSE(has_mark(t, t.rows[0], "zero-reads"));
  EXPECT_TRUE(has_mark(t, t.rows[1], "zero-reads"));
  EXPECT_FALSE(t.rows[0].read.planned);
  EXPECT_FALSE(t.rows[0].read.iops);
}

TEST(BuildTable, AMixedRowTakesBothFromOnePhase) {
  results::Plan plan = results::example_plan();
  plan.phases = {{{"mixed"}, true, true}};
  plan.rows = {{2, "off", "rand mixed 50/50", 4096, 16, 1, 0, 0}};
  auto runs = four_runs();
  for (RunFigures& r : runs) {
    r.phases[0].read = r.phases[1].read;
    r.phases[0].marks = {{Weight::note, "x", "once"}};
    r.phases.pop_back();
  }
  Table t = build(std::move(runs), plan);
  EXPECT_NEAR(*t.rows[0].read.iops, 5000, 1e-6);
  EXPECT_EQ(t.rows[0].marks.size(), 1u);
}

TEST(BuildTable, TheSameReasonStandsOnceWithItsRuns) {
  auto runs = four_runs();
  for (RunFigures& r : runs) r.marks = {{Weight::note, "scrub", "a scrub ran"}};
  runs[2].marks.clear();
  Table t = build(std::move(runs));
  ASSERT_EQ(t.marks.size(), 1u);
  EXPECT_EQ(legend_text(t.marks[0]), "runs 1-2, 4: a scrub ran");
  EXPECT_EQ(t.rows[1].marks, std::vector<size_t>{0});
}

TEST(BuildTable, ToldOfBlocksWithoutMirror) {
  results::Plan plan = results::example_plan();
  plan.runs[2].mirrored = plan.runs[3].mirrored = false;
  EXPECT_TRUE(
      has_mark(build(four_runs(), plan), build(four_runs(), plan).rows[0], "unmirrored-block"));
  plan = results::example_plan();
  plan.runs.push_back({5, "off", 3, 1, true});
  Table t = build(four_runs(), plan);
  EXPECT_TRUE(has_mark(t, t.rows[0], "odd-repeats"));
  EXPECT_FALSE(has_mark(t, t.rows[1], "odd-repeats"));
  plan = results::example_plan();
  plan.runs.resize(2);
  auto runs = four_runs();
  runs.resize(2);
  t = build(runs, plan);
  EXPECT_TRUE(has_mark(t, t.rows[0], "single-repetition"));
}

TEST(BuildTable, ARowIsProvenNoBetterThanItsWorstRun) {
  auto runs = four_runs();
  runs[0].proof = Proof::verified;
  runs[3].proof = Proof::contradicted;
  Table t = build(std::move(runs));
  EXPECT_EQ(t.rows[0].proof, Proof::contradicted);
  EXPECT_EQ(t.rows[1].proof, Proof::nothing_asked);
}

TEST(BuildTable, AForcedInvalidMatrixAndDamagedRunsMarkTheWholeTable) {
  results::Manifest m = results::example_manifest();
  m.allow_invalid = true;
  m.invalid_reason = "direct=1 turns the cache off";
  Table t = build_table(m, results::example_plan(), four_runs(), {"runs/0009: broken"});
  EXPECT_EQ(t.general_marks, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(t.worst_mark(), Weight::invalid);
  EXPECT_NE(t.marks[0].mark.text.find("direct=1"), std::string::npos);
}

TEST(BuildTable, RowsAscendWhateverThePlansOrder) {
  results::Plan plan = results::example_plan();
  std::swap(plan.rows[0], plan.rows[1]);
  EXPECT_EQ(build(four_runs(), plan).rows[0].plan.row, 2u);
}

}  // namespace
}  // namespace lab::analysis
