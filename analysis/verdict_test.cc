#include "analysis/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/power.h"

namespace lab::stats {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Metric write_iops(std::vector<std::string> cells) {
  return {"write IOPS", Direction::higher_is_better, std::move(cells), 0};
}

// A comparison with the given outcome, as analyse_blocks would hand over one of one.
BlockAnalysis outcome(double ratio, double standard_error, double df, size_t blocks) {
  BlockAnalysis analysis;
  analysis.model = Model::blocks;
  Comparison comparison;
  comparison.cell = 1;
  comparison.blocks = blocks;
  comparison.ratio = ratio;
  comparison.standard_error = standard_error;
  comparison.df = df;
  // Beyond the 95% limits of Student's t, whatever the df in these tests (3 to 30).
  comparison.p = std::abs(std::log(ratio)) > 3.3 * standard_error ? 0.001 : 0.4;
  comparison.p_holm = comparison.p;
  analysis.comparisons = {comparison};
  return analysis;
}

Judgement judged(double ratio, double standard_error, double df = 15, size_t blocks = 4) {
  return judge(outcome(ratio, standard_error, df, blocks), write_iops({"none", "writeback"}))[0];
}

}  // namespace

TEST(Judge, DifferentByMoreThanTheMargin) {
  Judgement j = judged(1.123, 0.01);
  EXPECT_EQ(j.verdict, Verdict::different);
  EXPECT_TRUE(j.better);
  EXPECT_TRUE(j.beyond_margin);
  EXPECT_EQ(j.text,
            "write IOPS of writeback: 12.3% higher than none (95% interval +9.9% to +14.7%): "
            "different, better by more than the margin of 3.0%");
}

TEST(Judge, DifferentButPerhapsByLittle) {
  Judgement j = judged(0.965, 0.008);
  EXPECT_EQ(j.verdict, Verdict::different);
  EXPECT_FALSE(j.better);
  EXPECT_FALSE(j.beyond_margin);
  EXPECT_EQ(j.text,
            "write IOPS of writeback: 3.5% lower than none (95% interval -5.1% to -1.8%): "
            "different, worse; whether by more than the margin of 3.0% is open");
}

TEST(Judge, DifferentBelowTheMargin) {
  Judgement j = judged(1.015, 0.002);
  EXPECT_EQ(j.verdict, Verdict::below_margin);
  EXPECT_EQ(j.text,
            "write IOPS of writeback: 1.5% higher than none (95% interval +1.1% to +1.9%): "
            "different, better, but below the margin of 3.0%");
}

TEST(Judge, Equivalent) {
  Judgement j = judged(1.002, 0.01);
  EXPECT_EQ(j.verdict, Verdict::equivalent);
  EXPECT_EQ(j.text,
            "write IOPS of writeback: 0.2% higher than none (90% interval -1.5% to +2.0%): "
            "equivalent within the margin of 3.0%");
}

TEST(Judge, InconclusiveTellsWhatCouldHaveBeenSeen) {
  Judgement j = judged(1.01, 0.02);
  EXPECT_EQ(j.verdict, Verdict::inconclusive);
  EXPECT_NEAR(difference_power(std::log1p(j.detectable) / 0.02, 15, 0.05), 0.8, 1e-6);
  ASSERT_TRUE(j.more_blocks);
  EXPECT_EQ(*j.more_blocks % 2, 0u);
  EXPECT_EQ(j.text.find("same"), std::string::npos);
  EXPECT_NE(j.text.find("inconclusive, could have seen a difference of 6.2% or more; "),
            std::string::npos)
      << j.text;
}

TEST(Judge, MoreRepetitionsWouldDecideIndeed) {
  for (double ratio : {0.975, 0.99, 1.0, 1.012, 1.06, 1.2}) {
    Judgement before = judged(ratio, 0.03, 3, 4);
    if (before.verdict != Verdict::inconclusive) continue;
    ASSERT_TRUE(before.more_blocks) << ratio;
    double blocks = 4.0 + static_cast<double>(*before.more_blocks);
    double se = 0.03 * std::sqrt(4 / blocks);
    double effect = std::log(ratio);
    double found = difference_power(effect / se, blocks - 1, 0.05);
    double equal = equivalence_power((std::log(0.97) - effect) / se, (std::log(1.03) - effect) / se,
                                     blocks - 1, 0.05);
    EXPECT_GE(std::max(found, equal), 0.8) << ratio;
  }
}

TEST(Judge, MakesTheTotalEven) {
  Judgement j = judged(1.01, 0.02, 10, 3);
  ASSERT_TRUE(j.more_blocks);
  EXPECT_EQ((3 + *j.more_blocks) % 2, 0u);
}

TEST(Judge, GivesUpWhereNoReasonableNumberWouldDecide) {
  // On the margin neither a difference nor equivalence shows soon, under heavy noise.
  Judgement j = judged(1.0299, 1.5, 3, 4);
  EXPECT_FALSE(j.more_blocks);
  EXPECT_NE(j.text.find("no reasonable number"), std::string::npos);
}

TEST(Judge, TwoRepetitionsDescribeAndOneSaysNothing) {
  Judgement two = judged(1.5, 0.001, 5, 2);
  EXPECT_EQ(two.verdict, Verdict::descriptive);
  EXPECT_EQ(two.text,
            "write IOPS of writeback: 50.0% higher than none in 2 repetitions: too few for a "
            "verdict, it takes 4");
  BlockAnalysis once = analyse_blocks({{{100, 150}}, {}, 0});
  Judgement one = judge(once, write_iops({"none", "writeback"}))[0];
  EXPECT_EQ(one.verdict, Verdict::no_statement);
  EXPECT_EQ(one.text,
            "write IOPS of writeback: 50.0% higher than none, measured once: no statement");
  BlockAnalysis never = analyse_blocks({{{100, nothing}, {100, nothing}}, {}, 0});
  EXPECT_EQ(judge(never, write_iops({"none", "writeback"}))[0].text,
            "write IOPS of writeback: no statement, it was never measured beside none");
}

TEST(Judge, PeakMemoryIsBetterWhenLower) {
  Metric memory = {"peak RSS", Direction::lower_is_better, {"tcmalloc", "jemalloc"}, 0};
  Judgement j = judge(outcome(0.8, 0.01, 15, 4), memory)[0];
  EXPECT_TRUE(j.better);
  EXPECT_FALSE(judge(outcome(1.3, 0.01, 15, 4), memory)[0].better);
}

TEST(Judge, FarFromOneSpeaksInTimes) {
  EXPECT_EQ(judged(2.31, 0.02).text,
            "write IOPS of writeback: 2.31 times as high compared with none (95% interval 2.21 to "
            "2.41 times): different, better by more than the margin of 3.0%");
}

TEST(Judge, SaysWhenOnlyTheNumberOfComparisonsIsInTheWay) {
  BlockAnalysis analysis = outcome(1.05, 0.02, 15, 4);
  analysis.comparisons[0].p = 0.03;
  analysis.comparisons[0].p_holm = 0.09;
  analysis.comparisons.push_back(analysis.comparisons[0]);
  analysis.comparisons[1].cell = 2;
  Judgement j = judge(analysis, write_iops({"none", "writeback", "writethrough"}))[0];
  EXPECT_EQ(j.verdict, Verdict::inconclusive);
  EXPECT_NE(j.text.find("it would count alone, but not as one of 2 comparisons"),
            std::string::npos);
}

TEST(Judge, AWiderMarginMakesEquivalentWhatWasInconclusive) {
  JudgeOptions wide;
  wide.margin = 0.10;
  Judgement j = judge(outcome(1.01, 0.02, 15, 4), write_iops({"none", "writeback"}), wide)[0];
  EXPECT_EQ(j.verdict, Verdict::equivalent);
}

TEST(SummariseControl, CalmsOrAlarms) {
  Metric metric = write_iops({"none", "none again"});
  Judgement calm = judge(outcome(1.004, 0.01, 15, 4), metric)[0];
  ControlSummary summary = summarise_control(calm, metric);
  EXPECT_FALSE(summary.false_alarm);
  EXPECT_NEAR(summary.floor, calm.detectable, 1e-12);
  EXPECT_NE(summary.text.find("differ by 0.4%"), std::string::npos) << summary.text;

  Judgement alarm = judge(outcome(0.92, 0.01, 15, 4), metric)[0];
  summary = summarise_control(alarm, metric);
  EXPECT_TRUE(summary.false_alarm);
  EXPECT_NEAR(summary.floor, 1 / 0.92 - 1, 1e-12);
  EXPECT_NE(summary.text.find("trust no difference below 8.7%"), std::string::npos) << summary.text;
}

TEST(DescribeRatio, KeepsSmallDifferencesVisible) {
  EXPECT_EQ(describe_ratio(1), "equal");
  EXPECT_EQ(describe_ratio(1.0004), "0.04% higher");
  EXPECT_EQ(describe_ratio(0.99), "1.0% lower");
  EXPECT_EQ(describe_ratio(0.4), "0.40 times as high");
}

}  // namespace lab::stats
