#include "analysis/recovery/table.h"

#include <gtest/gtest.h>

#include "analysis/recovery/grid.h"
#include "analysis/recovery/recovery_example.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "tests/complaint.h"

namespace lab::analysis {
namespace {

constexpr double kMiB = 1 << 20;

TEST(RecoveryRun, TakesMemoryFromTheOsdsThatStayed) {
  const TemporaryDirectory dir;
  write_example(dir.path(), {});
  const RecoveryRun run = load_recovery_run(dir.path(), *results::load_recovery(dir.path()));
  EXPECT_DOUBLE_EQ(*run.to_clean_s, 20);
  EXPECT_DOUBLE_EQ(*run.to_degraded_gone_s, 18);
  EXPECT_FALSE(run.to_misplaced_gone_s);
  EXPECT_DOUBLE_EQ(*run.bytes_per_s, 20 * kMiB);
  EXPECT_DOUBLE_EQ(*run.daemons.at("osd.0").baseline, 500 * kMiB);
  EXPECT_DOUBLE_EQ(*run.daemons.at("osd.0").peak, 550 * kMiB);
  EXPECT_DOUBLE_EQ(*run.daemons.at("osd.0").kept(), 25 * kMiB);
  EXPECT_DOUBLE_EQ(*run.mean(&RecoveryMemory::baseline), 550 * kMiB);
  EXPECT_DOUBLE_EQ(*run.most(&RecoveryMemory::peak), 650 * kMiB);
  EXPECT_DOUBLE_EQ(*run.mean_kept(), 25 * kMiB);
  // The one that failed was there before, and has no more to tell.
  EXPECT_DOUBLE_EQ(*run.daemons.at("osd.2").baseline, 500 * kMiB);
  EXPECT_FALSE(run.daemons.at("osd.2").peak);
  EXPECT_TRUE(run.warnings.empty());
}

TEST(RecoveryRun, ClientsAreCountedByPhase) {
  const TemporaryDirectory dir;
  write_example(dir.path(), {});
  const RecoveryRun run = load_recovery_run(dir.path(), *results::load_recovery(dir.path()));
  EXPECT_DOUBLE_EQ(*run.clients.at("baseline").iops(run.clients.at("baseline").read), 1000);
  EXPECT_DOUBLE_EQ(*run.clients.at("recovering").iops(run.clients.at("recovering").read), 500);
  EXPECT_EQ(run.clients.at("recovering").read.percentile_ns(99), 100u);
  EXPECT_FALSE(run.clients.at("baseline").iops(run.clients.at("baseline").write));
  EXPECT_FALSE(run.clients.contains("cool-down"));
}

TEST(RecoveryRun, SecondsWithoutAnyIoCount) {
  const TemporaryDirectory dir;
  write_example(dir.path(), {});
  // Nothing was completed in the four seconds after the failure at 10 s: fio logs nothing then.
  const fs::path log = dir.path() / "client_clat_hist.1.log";
  std::string kept;
  for (const std::string& line : split(read_file(log), '\n'))
    if (const long long at = std::atoll(line.c_str()) - 1796119200000;
        !line.empty() && (at <= 10000 || at > 14000))
      kept += line + "\n";
  write_file_atomically(log, kept);
  const RecoveryRun run = load_recovery_run(dir.path(), *results::load_recovery(dir.path()));
  EXPECT_DOUBLE_EQ(*run.clients.at("failure").iops(run.clients.at("failure").read), 200);
}

TEST(RecoveryTable, FindsMoreMemoryAndTheSameTime) {
  const TemporaryDirectory dir;
  const RecoveryTable table =
      load_recovery_table(recoveries(dir.path(), {}, {.normal_mib = 720, .growth_mib = 120}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_TRUE(table.rows[0].baseline);
  EXPECT_EQ(table.rows[1].repetitions.size(), 4u);
  const auto& figures = table.rows[1].figures;
  EXPECT_NEAR(*figures.at("rss_normal_bytes").difference, 220 * kMiB, 2 * kMiB);
  EXPECT_NEAR(*figures.at("rss_peak_bytes").difference, 290 * kMiB, 2 * kMiB);
  EXPECT_EQ(figures.at("rss_peak_bytes").judgement->verdict, stats::Verdict::different);
  EXPECT_FALSE(figures.at("rss_peak_bytes").judgement->better);
  EXPECT_NE(figures.at("to_clean_s").judgement->verdict, stats::Verdict::different);
  EXPECT_TRUE(table.table.marks.empty());
}

TEST(RecoveryTable, PrintsWhatARolloutNeeds) {
  const TemporaryDirectory dir;
  const RecoveryTable table =
      load_recovery_table(recoveries(dir.path(), {}, {.normal_mib = 720, .growth_mib = 120}));
  const std::string text = render_grid(recovery_grid(table, Format::markdown), Format::markdown);
  EXPECT_NE(text.find("4k-rbd_cache_writeback"), std::string::npos);
  EXPECT_NE(text.find("different"), std::string::npos);
  EXPECT_NE(text.find("Published claims"), std::string::npos);
  const std::string csv = render_grid(recovery_grid(table, Format::csv), Format::csv);
  EXPECT_NE(csv.find("rss_peak_bytes_interval_low_percent"), std::string::npos);
  EXPECT_NE(csv.find("factor_allocator"), std::string::npos);
  const std::string tidy = render_grid(recovery_tidy(table), Format::csv);
  EXPECT_NE(tidy.find("osd.1,recovering,rss_peak,bytes,"), std::string::npos);
}

TEST(RecoveryTable, WithoutLoadThereIsNothingOfClients) {
  const TemporaryDirectory dir;
  const RecoveryTable table =
      load_recovery_table(recoveries(dir.path(), {.load = false}, {.load = false}));
  const std::string text = render_grid(recovery_grid(table, Format::table), Format::table);
  EXPECT_EQ(text.find("p99 ms"), std::string::npos);
  EXPECT_FALSE(table.rows[0].figures.at("r_iops_recovering").value);
}

TEST(RecoveryTable, RunsOfAJobAreNone) {
  const TemporaryDirectory dir;
  const results::ResultWriter writer = results::ResultWriter::create(
      dir.path(), results::example_manifest(), results::example_plan(), "[a]\n");
  EXPECT_NE(complaint([&] {
              load_recovery_table(results::ResultReader::load(writer.directory()));
            }).find("these are no recoveries"),
            std::string::npos);
}

}  // namespace
}  // namespace lab::analysis
