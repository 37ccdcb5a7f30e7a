// Expected values: R 4.2.2, lm(log(y) ~ block + cell [+ time]), confint(), t.test(paired=TRUE),
// anova() of nested models.
#include "analysis/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lab::stats {

namespace {

constexpr double failed = std::numeric_limits<double>::quiet_NaN();
constexpr BlockOptions plain = {0, 0, 0, 0};  // no preliminary test rejects

Blocks example() {
  return {{{1000, 1103, 951}, {1012, 1098, 962}, {985, 1091, 949}, {1021, 1132, 941}},
          {{0, 1, 2}, {5, 4, 3}, {8, 6, 7}, {9, 11, 10}},
          0};
}

}  // namespace

TEST(AnalyseBlocks, PooledIntervalsAgreeWithR) {
  BlockAnalysis analysis = analyse_blocks(example(), plain);
  EXPECT_EQ(analysis.model, Model::blocks);
  EXPECT_EQ(analysis.blocks, 4u);
  EXPECT_EQ(analysis.df, 6);
  EXPECT_NEAR(analysis.residual_sd, 0.012915504538, 1e-11);
  ASSERT_EQ(analysis.comparisons.size(), 2u);
  const Comparison& first = analysis.comparisons[0];
  EXPECT_EQ(first.cell, 1u);
  EXPECT_NEAR(first.ratio, std::exp(0.09625182443822), 1e-11);
  EXPECT_NEAR(first.interval(0.95).low, 1.076704575438, 1e-9);
  EXPECT_NEAR(first.interval(0.95).high, 1.125917874613, 1e-9);
  EXPECT_NEAR(first.p, 4.28957447050e-05, 1e-13);
  EXPECT_NEAR(first.p_holm, 2 * 4.28957447050e-05, 1e-12);
  EXPECT_NEAR(analysis.comparisons[1].p, 9.51822514171e-04, 1e-12);
  EXPECT_NEAR(analysis.comparisons[1].p_holm, 9.51822514171e-04, 1e-12);
}

TEST(AnalyseBlocks, AnotherBaselineInvertsTheRatio) {
  Blocks blocks = example();
  blocks.baseline = 1;
  BlockAnalysis analysis = analyse_blocks(blocks, plain);
  EXPECT_EQ(analysis.comparisons[0].cell, 0u);
  EXPECT_NEAR(analysis.comparisons[0].ratio, std::exp(-0.09625182443822), 1e-11);
}

TEST(AnalyseBlocks, DriftIsEstimatedAndTakenOutAsR) {
  BlockAnalysis analysis = analyse_blocks(example(), {1, 0, 0, 0});
  EXPECT_EQ(analysis.model, Model::blocks_and_drift);
  EXPECT_EQ(analysis.df, 5);
  EXPECT_NEAR(analysis.drift_ratio, std::exp(0.000177909835304 * 11), 1e-9);
  EXPECT_NEAR(analysis.drift_p, 0.973000739710, 1e-9);
  EXPECT_NEAR(analysis.comparisons[1].standard_error, 0.01000304118534, 1e-11);
  EXPECT_NEAR(analysis.comparisons[1].p, 2.73295666732e-03, 1e-11);
}

TEST(AnalyseBlocks, MissingRunsUseThePairsThatThereAre) {
  Blocks blocks = example();
  blocks.values[0][1] = failed;
  blocks.values[2][2] = 0;  // no IOPS at all: the run failed, there is no logarithm
  BlockAnalysis analysis = analyse_blocks(blocks, plain);
  EXPECT_EQ(analysis.missing, 2u);
  EXPECT_EQ(analysis.df, 4);
  EXPECT_EQ(analysis.comparisons[0].blocks, 3u);
  EXPECT_NEAR(std::log(analysis.comparisons[0].ratio), 0.09728678956835, 1e-11);
  EXPECT_NEAR(analysis.comparisons[0].standard_error, 0.0112110995830, 1e-11);
  EXPECT_NEAR(analysis.comparisons[1].p, 5.87317132366e-03, 1e-11);
}

TEST(AnalyseBlocks, OwnVarianceIsThePairedTTest) {
  BlockAnalysis analysis = analyse_blocks(example(), {0, 0, 1.1, 0});
  EXPECT_TRUE(analysis.comparisons[0].own_variance);
  EXPECT_EQ(analysis.comparisons[0].df, 3);
  EXPECT_NEAR(analysis.comparisons[0].p, 0.000310396349, 1e-11);
  EXPECT_NEAR(std::log(analysis.comparisons[0].interval(0.95).low), 0.0802660901433, 1e-11);
}

TEST(AnalyseBlocks, ANoisyCellSpeaksForItselfAndDoesNotBlurTheOthers) {
  Blocks blocks;
  blocks.values = {{100, 101.0, 99.5, 100.2, 150},  {100, 100.4, 100.1, 99.4, 60},
                   {100, 100.2, 100.3, 100.1, 130}, {100, 99.9, 99.8, 100.7, 80},
                   {100, 100.6, 100.4, 99.9, 170},  {100, 100.3, 99.7, 100.0, 55}};
  BlockAnalysis analysis = analyse_blocks(blocks);
  EXPECT_FALSE(analysis.comparisons[0].own_variance);
  EXPECT_LT(analysis.comparisons[0].standard_error, 0.003);
  EXPECT_TRUE(analysis.comparisons[3].own_variance);
  EXPECT_EQ(analysis.comparisons[3].df, 5);
  EXPECT_GT(analysis.comparisons[3].standard_error, 0.15);
}

TEST(AnalyseBlocks, StrongDriftIsNoticed) {
  // 30% are lost on the way, as on a disk that fills; the second cell is 3% better.
  Blocks blocks;
  size_t run = 0;
  const double noise[] = {0.002, -0.001, 0.003,  -0.002, 0.001, -0.003,
                          0.002, 0.0,    -0.001, 0.001,  0.002, -0.002};
  const size_t order[4][3] = {{1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}};
  for (const auto& cells : order) {
    std::vector<double> values(3);
    std::vector<double> times(3);
    for (size_t cell : cells) {
      times[cell] = static_cast<double>(run);
      values[cell] = 5000 * (cell == 1 ? 1.03 : 1.0) *
                     std::exp(-0.35 * static_cast<double>(run) / 11 + noise[run]);
      ++run;
    }
    blocks.values.push_back(values);
    blocks.times.push_back(times);
  }
  BlockAnalysis analysis = analyse_blocks(blocks);
  EXPECT_EQ(analysis.model, Model::blocks_and_drift);
  EXPECT_NEAR(analysis.drift_ratio, std::exp(-0.35), 0.01);
  EXPECT_NEAR(analysis.comparisons[0].ratio, 1.03, 0.005);
  EXPECT_LT(analysis.comparisons[0].p_holm, 0.01);
  EXPECT_GT(analysis.comparisons[1].p_holm, 0.05);
}

TEST(AnalyseBlocks, MirroredPairsAreTestedAsNestedModelsInR) {
  // With three cells the pairs of four blocks have 2 degrees of freedom: too few to use.
  EXPECT_TRUE(std::isnan(analyse_blocks(example(), plain).pairs_p));
  // With four cells they have 3. R: anova(lm(y ~ b + c), lm(y ~ b + pair:c)).
  Blocks blocks = {{{1000, 1103, 951, 1010},
                    {1012, 1098, 962, 990},
                    {985, 1091, 949, 1003},
                    {1021, 1132, 941, 1015}},
                   {{0, 1, 2, 3}, {7, 6, 5, 4}, {10, 8, 9, 11}, {13, 15, 14, 12}},
                   0};
  EXPECT_NEAR(analyse_blocks(blocks, plain).pairs_p, 0.62430593449966, 1e-9);
  BlockAnalysis analysis = analyse_blocks(blocks, {0, 1, 0, 0});
  EXPECT_EQ(analysis.model, Model::mirrored_pairs);
  EXPECT_EQ(analysis.df, 3);
  EXPECT_EQ(analysis.comparisons[0].blocks, 4u);
  EXPECT_NEAR(std::log(analysis.comparisons[0].ratio), 0.096251824438218, 1e-11);
  EXPECT_NEAR(analysis.comparisons[0].standard_error, 0.0074076574981623, 1e-11);
}

TEST(AnalyseBlocks, AWildRunIsMarkedAndKept) {
  Blocks blocks;
  blocks.values = {{100, 110, 120},   {101, 111, 121.5},     {99, 109, 40},
                   {102, 112, 122.5}, {100.5, 110.4, 120.5}, {101.5, 111.7, 121.7}};
  BlockAnalysis analysis = analyse_blocks(blocks, plain);
  ASSERT_EQ(analysis.outliers.size(), 1u);
  EXPECT_EQ(analysis.outliers[0].block, 2u);
  EXPECT_EQ(analysis.outliers[0].cell, 2u);
  EXPECT_NEAR(analysis.outliers[0].ratio, 40 / 118.8, 0.01);
  EXPECT_EQ(analysis.comparisons[1].blocks, 6u);
  EXPECT_LT(analysis.comparisons[1].ratio, 1.1);  // it still counts
}

TEST(AnalyseBlocks, TooFewBlocksGiveRatiosOnly) {
  BlockAnalysis one = analyse_blocks({{{100, 150}}, {}, 0});
  EXPECT_EQ(one.model, Model::too_few);
  EXPECT_NEAR(one.comparisons[0].ratio, 1.5, 1e-12);
  EXPECT_TRUE(std::isnan(one.comparisons[0].p));
  EXPECT_TRUE(std::isnan(one.comparisons[0].interval(0.95).low));
  EXPECT_TRUE(analyse_blocks({}).comparisons.empty());
}

TEST(AnalyseBlocks, ACellThatNeverRanIsNoComparison) {
  BlockAnalysis analysis =
      analyse_blocks({{{100, failed, 101}, {99, failed, 102}, {98, failed, 99}}, {}, 0});
  EXPECT_TRUE(std::isnan(analysis.comparisons[0].ratio));
  EXPECT_EQ(analysis.comparisons[0].blocks, 0u);
  EXPECT_EQ(analysis.comparisons[1].df, 2);
  // Only one real comparison: nothing to correct for.
  EXPECT_DOUBLE_EQ(analysis.comparisons[1].p, analysis.comparisons[1].p_holm);
}

TEST(AnalyseBlocks, EqualFiguresAreEqualAndNotInfinitelyDifferent) {
  BlockAnalysis same = analyse_blocks({{{500, 500}, {500, 500}, {500, 500}, {500, 500}}, {}, 0});
  EXPECT_NEAR(same.comparisons[0].p, 1, 1e-3);
  BlockAnalysis other = analyse_blocks({{{500, 600}, {500, 600}, {500, 600}, {500, 600}}, {}, 0});
  EXPECT_LT(other.comparisons[0].p, 1e-6);
  EXPECT_NEAR(other.comparisons[0].interval(0.95).high, 1.2, 1e-6);
}

}  // namespace lab::stats
