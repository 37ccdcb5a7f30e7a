#include "analysis/row_groups.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/table_noise.h"

namespace lab::analysis {
namespace {

// Figures of one cell, a block each.
TableRow row(const std::vector<double>& writes, bool baseline = false,
             const std::vector<unsigned>& units = {}) {
  TableRow r;
  r.plan.write_phase = 0;
  r.baseline = baseline;
  r.write.planned = true;
  r.repetitions_planned = writes.size();
  for (size_t i = 0; i < writes.size(); ++i) {
    Repetition repetition;
    repetition.block = static_cast<unsigned>(i + 1);
    repetition.run = static_cast<unsigned>(2 * i) + (baseline ? 1 : 2);
    repetition.unit = units.empty() ? 0 : units[i];
    repetition.write_iops = writes[i];
    r.repetitions.push_back(repetition);
  }
  return r;
}

TEST(RowGroups, HoldsRowsOfTheSamePhasesTogether) {
  Table table;
  table.rows = {row({1, 2}, true), row({3, 4}), row({5, 6})};
  table.rows[2].plan.write_phase = 1;
  const std::vector<RowGroup> groups = row_groups(table);
  ASSERT_EQ(groups.size(), 1u) << "a row without a baseline is held against nothing";
  EXPECT_EQ(groups[0].rows, (std::vector<size_t>{0, 1}));
  const stats::Blocks blocks = blocks_of(table, groups[0], kWrite);
  EXPECT_EQ(blocks.values, (std::vector<std::vector<double>>{{1, 3}, {2, 4}}));
  EXPECT_EQ(blocks.times, (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
}

TEST(RowGroups, RunsOfOneRestartAreOneSample) {
  Table table;
  table.rows = {row({100, 121, 100, 100}, true, {1, 1, 3, 3}),
                row({50, 50, 50, 50}, false, {2, 2, 4, 4})};
  const stats::Blocks blocks = blocks_of(table, row_groups(table)[0], kWrite);
  ASSERT_EQ(blocks.values.size(), 2u);
  EXPECT_NEAR(blocks.values[0][0], 110, 1e-9) << "the geometric mean of its runs";
  EXPECT_NEAR(blocks.values[1][1], 50, 1e-9);
}

TEST(RowGroups, ARunThatSharesNothingStaysASampleOfItsOwn) {
  Table table;
  table.rows = {row({100, 101, 99, 100}, true), row({50, 50, 50, 50}, false, {2, 2, 4, 4})};
  const stats::Blocks blocks = blocks_of(table, row_groups(table)[0], kWrite);
  size_t baseline = 0;
  for (const std::vector<double>& block : blocks.values) baseline += std::isnan(block[0]) ? 0 : 1;
  EXPECT_EQ(baseline, 4u);
}

TEST(TableNoise, IsThatOfTheNoisiestFigure) {
  Table table;
  table.rows = {row({100, 101, 99, 100}, true), row({100, 99, 101, 100})};
  const double quiet = noise_of(table)->cv;
  for (TableRow& r : table.rows) {
    r.plan.read_phase = 1;
    r.read.planned = true;
  }
  const double reads[2][4] = {{100, 120, 90, 110}, {110, 90, 120, 100}};
  for (size_t c = 0; c < 2; ++c)
    for (size_t b = 0; b < 4; ++b) table.rows[c].repetitions[b].read_iops = reads[c][b];
  EXPECT_GT(noise_of(table)->cv, 5 * quiet);
  EXPECT_GT(noise_of(table)->cv_cautious, noise_of(table)->cv);
  for (TableRow& r : table.rows) r.repetitions.resize(1);
  EXPECT_FALSE(noise_of(table)) << "one repetition tells nothing";
}

}  // namespace
}  // namespace lab::analysis
