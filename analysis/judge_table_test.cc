#include "analysis/judge_table.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

// Rows of three cells over four blocks; figures are given in the order of the blocks.
TableRow row(unsigned number, const std::string& test, const std::vector<double>& writes,
             bool baseline = false) {
  TableRow r;
  r.plan.row = number;
  r.plan.type = "rand w";
  r.plan.block_bytes = 4096;
  r.plan.write_phase = 0;
  r.test = test;
  r.baseline = baseline;
  r.write.planned = true;
  r.repetitions_planned = writes.size();
  for (size_t i = 0; i < writes.size(); ++i) {
    Repetition repetition;
    repetition.block = static_cast<unsigned>(i + 1);
    repetition.run = static_cast<unsigned>(3 * i) + number;
    repetition.write_iops = writes[i];
    r.repetitions.push_back(repetition);
  }
  return r;
}

Table three_cells() {
  Table table;
  table.rows = {row(2, "off", {1000, 1010, 1005, 995}, true),
                row(3, "double", {2010, 2000, 1990, 2005}),
                row(4, "same", {1003, 1004, 1006, 998})};
  return table;
}

TEST(JudgeTable, TellsWhatIsDifferentAndWhatIsNot) {
  Table table = three_cells();
  judge_table(table);
  EXPECT_EQ(table.rows[0].write.verdict(), "") << "the baseline is not held against itself";
  EXPECT_EQ(table.rows[1].write.verdict(), "different");
  EXPECT_EQ(table.rows[2].write.verdict(), "equivalent");
  ASSERT_EQ(table.findings.size(), 2u) << "no read figure, no sentence";
  EXPECT_NE(table.findings[0].find("write IOPS of double"), std::string::npos) << table.findings[0];
}

TEST(JudgeTable, OneSentenceSaysItAll) {
  Table table = three_cells();
  judge_table(table);
  EXPECT_EQ(table.headline,
            "Against off, better: write IOPS of double (+99.6%); equivalent: write IOPS of same "
            "(+0.0%)");
  for (TableRow& r : table.rows) r.repetitions.resize(2);
  judge_table(table);
  EXPECT_EQ(table.headline, "Too few repetitions for a verdict: it takes 4");
  table.rows.resize(1);
  judge_table(table);
  EXPECT_EQ(table.headline, "") << "nothing is compared";
}

TEST(JudgeTable, HeadlineOwnsUpToInvalidMarks) {
  Table table = three_cells();
  table.marks.push_back({{results::Weight::invalid, "x", "says nothing"}, {}});
  judge_table(table);
  EXPECT_NE(table.headline.find("some figures are marked invalid"), std::string::npos);
}

TEST(JudgeTable, ControlSaysWhatTheOthersAreWorth) {
  Table table = three_cells();
  table.rows[2].control = true;
  judge_table(table);
  ASSERT_EQ(table.controls.size(), 1u);
  EXPECT_FALSE(table.controls[0].false_alarm);
  EXPECT_EQ(table.findings[1], table.controls[0].text);
  EXPECT_EQ(table.headline, "Against off, better: write IOPS of double (+99.6%)");

  std::swap(table.rows[1].control, table.rows[2].control);
  judge_table(table);
  EXPECT_NE(
      table.headline.find("the control, the same setting under two names, was called different"),
      std::string::npos)
      << table.headline;
}

TEST(JudgeTable, ControlAloneIsStillTold) {
  Table table;
  table.rows = {row(2, "as_is", {1000, 1010, 1005, 995}, true),
                row(3, "as_is again", {1003, 1004, 1006, 998})};
  table.rows[1].control = true;
  judge_table(table);
  ASSERT_EQ(table.findings.size(), 1u);
  EXPECT_NE(table.headline.find("control"), std::string::npos) << table.headline;
}

TEST(JudgeTable, BlocksOfAFailedRunAreLeftOut) {
  Table table = three_cells();
  table.rows[1].repetitions.erase(table.rows[1].repetitions.begin());
  judge_table(table);
  EXPECT_EQ(table.rows[1].write.verdict(), "different");
}

TEST(JudgeTable, OneRepetitionIsNoStatement) {
  Table table = three_cells();
  for (TableRow& r : table.rows) r.repetitions.resize(1);
  judge_table(table);
  for (const TableRow& r : table.rows) EXPECT_EQ(r.write.verdict(), "");
  EXPECT_TRUE(table.findings.empty());
}

TEST(JudgeTable, RowsOfOtherPhasesAreNotCompared) {
  Table table = three_cells();
  table.rows[1].plan.write_phase = 1;
  judge_table(table);
  EXPECT_EQ(table.rows[1].write.verdict(), "");
  EXPECT_EQ(table.rows[2].write.verdict(), "equivalent");
}

}  // namespace
}  // namespace lab::analysis
