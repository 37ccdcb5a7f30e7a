// Expected values: R 4.2.2, lm(y ~ block + cell), hatvalues().
#include "analysis/two_way.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lab::stats {

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

BlockTable logs(BlockTable table) {
  for (auto& row : table)
    for (double& value : row) value = std::log(value);
  return table;
}

const BlockTable complete =
    logs({{1000, 1103, 951}, {1012, 1098, 962}, {985, 1091, 949}, {1021, 1132, 941}});
const BlockTable with_gaps =
    logs({{1000, gap, 951}, {1012, 1098, 962}, {985, 1091, gap}, {1021, 1132, 941}});

}  // namespace

TEST(TwoWay, CompleteBlocksAgreeWithR) {
  TwoWay model(complete, {0, 1, 2});
  TwoWayFit fit = model.fit(complete);
  EXPECT_EQ(fit.df, 6);
  double sd = std::sqrt(fit.residual_ss / fit.df);
  EXPECT_NEAR(sd, 0.012915504538, 1e-11);
  EXPECT_NEAR(fit.effects[0], 0, 1e-14);
  EXPECT_NEAR(fit.effects[1], 0.09625182443822, 1e-12);
  EXPECT_NEAR(fit.effects[2], -0.05493453418998, 1e-12);
  EXPECT_NEAR(sd * std::sqrt(model.variance_factor(1)), 0.00913264084129, 1e-12);
  EXPECT_NEAR(model.leverage(2, 1), 0.5, 1e-12);
}

TEST(TwoWay, IncompleteBlocksAgreeWithR) {
  TwoWay model(with_gaps, {0, 1, 2});
  TwoWayFit fit = model.fit(with_gaps);
  EXPECT_EQ(fit.df, 4);
  double sd = std::sqrt(fit.residual_ss / fit.df);
  EXPECT_NEAR(sd, 0.0141406994573, 1e-11);
  EXPECT_NEAR(fit.effects[1], 0.09728678956835, 1e-12);
  EXPECT_NEAR(fit.effects[2], -0.06001483888380, 1e-12);
  EXPECT_NEAR(sd * std::sqrt(model.variance_factor(1)), 0.0112110995830, 1e-12);
  EXPECT_NEAR(model.leverage(0, 0), 0.657142857143, 1e-11);
  EXPECT_NEAR(model.leverage(1, 0), 0.523809523810, 1e-11);
  EXPECT_NEAR(model.leverage(3, 2), 0.580952380952, 1e-11);
  EXPECT_TRUE(std::isnan(fit.residuals[0][1]));
}

TEST(TwoWay, ChoosesColumnsAndReference) {
  TwoWay model(complete, {2, 1});
  TwoWayFit fit = model.fit(complete);
  EXPECT_EQ(fit.df, 3);
  EXPECT_NEAR(fit.effects[1], 0.09625182443822 + 0.05493453418998, 1e-12);
}

TEST(TwoWay, SeesWhatIsNotLinked) {
  // Cells 0, 1 and cells 2, 3 never meet.
  BlockTable apart = {{1, 2, gap, gap}, {1.5, 2.25, gap, gap}, {gap, gap, 5, 7}, {gap, gap, 6, 7}};
  TwoWay model(apart, {0, 1, 2, 3});
  EXPECT_TRUE(model.linked(1));
  EXPECT_FALSE(model.linked(2));
  EXPECT_FALSE(model.linked(3));
  // 8 values, 4 blocks, 1 difference within each of the two groups.
  EXPECT_EQ(model.fit(apart).df, 2);
  EXPECT_NEAR(model.fit(apart).residual_ss, 0.125 * 0.125 + 0.5 * 0.5, 1e-12);
}

TEST(TwoWay, ComparesThroughAThirdCell) {
  // 0 and 2 never share a block, but both share one with 1.
  BlockTable chain = {{10, 11, gap}, {gap, 21, 23}};
  TwoWay model(chain, {0, 1, 2});
  EXPECT_TRUE(model.linked(2));
  TwoWayFit fit = model.fit(chain);
  EXPECT_EQ(fit.df, 0);
  EXPECT_NEAR(fit.effects[2], 3, 1e-12);
  EXPECT_NEAR(model.variance_factor(2), 4, 1e-12);
}

TEST(TwoWay, SurvivesEmptyTables) {
  BlockTable nothing = {{gap, gap}, {gap, gap}};
  TwoWay model(nothing, {0, 1});
  EXPECT_EQ(model.fit(nothing).df, 0);
  EXPECT_FALSE(model.linked(1));
  EXPECT_EQ(TwoWay({}, {0}).fit({}).df, 0);
}

}  // namespace lab::stats
