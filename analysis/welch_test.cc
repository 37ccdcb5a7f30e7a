#include "analysis/welch.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::stats {
namespace {

const std::vector<double> kBefore = {1000, 1020, 990, 1010};
const std::vector<double> kAfter = {1100, 1150, 1090, 1120};

// R 4.2: t <- t.test(log(c(1100,1150,1090,1120)), log(c(1000,1020,990,1010)))
//        exp(-diff(t$estimate)); t$stderr; t$parameter; t$p.value; exp(t$conf.int)
TEST(Welch, AgreesWithR) {
  const Comparison c = compare_unpaired(kBefore, kAfter);
  EXPECT_NEAR(c.ratio, 1.109288668109609, 1e-12);
  EXPECT_NEAR(c.standard_error, 0.013440958018547, 1e-12);
  EXPECT_NEAR(c.df, 4.632834626483870, 1e-9);
  EXPECT_NEAR(c.p, 0.000817959357852, 1e-12);
  EXPECT_NEAR(c.interval(0.95).low, 1.07071623761, 1e-10);
  EXPECT_NEAR(c.interval(0.95).high, 1.14925066603, 1e-10);
  EXPECT_NEAR(c.interval(0.90).low, 1.07912804434, 1e-10);
  EXPECT_NEAR(c.interval(0.90).high, 1.14029225322, 1e-10);
  EXPECT_EQ(c.blocks, 4u);
}

// R: t.test(log(c(14.9,12.1,17.4)), log(c(14.2,13.9,14.4,14.1,14.0,14.3)))
TEST(Welch, AgreesWithRWhereNumbersAndVariancesDiffer) {
  const Comparison c = compare_unpaired({14.2, 13.9, 14.4, 14.1, 14.0, 14.3}, {14.9, 12.1, 17.4});
  EXPECT_NEAR(c.ratio, 1.034623071222, 1e-11);
  EXPECT_NEAR(c.standard_error, 0.105375893390, 1e-11);
  EXPECT_NEAR(c.df, 2.010532916477, 1e-9);
  EXPECT_NEAR(c.p, 0.777191369387, 1e-10);
  EXPECT_NEAR(c.interval(0.95).low, 0.658961561226, 1e-10);
  EXPECT_NEAR(c.interval(0.95).high, 1.624442095703, 1e-10);
  EXPECT_EQ(c.blocks, 3u);
}

TEST(Welch, SwappedSidesInvertTheRatio) {
  const Comparison there = compare_unpaired(kBefore, kAfter);
  const Comparison back = compare_unpaired(kAfter, kBefore);
  EXPECT_NEAR(there.ratio * back.ratio, 1, 1e-12);
  EXPECT_NEAR(there.interval(0.95).low * back.interval(0.95).high, 1, 1e-12);
  EXPECT_NEAR(there.p, back.p, 1e-12);
}

TEST(Welch, FiguresThatAgreeToTheLastDigitAreNoDifference) {
  const Comparison c = compare_unpaired({7, 7, 7}, {7, 7, 7});
  EXPECT_DOUBLE_EQ(c.ratio, 1);
  EXPECT_DOUBLE_EQ(c.p, 1);
  EXPECT_NEAR(compare_unpaired({7, 7, 7}, {8, 8, 8}).p, 0, 1e-12);
}

TEST(Welch, SaysNothingOfOneRunAndLeavesFailuresOut) {
  const Comparison one = compare_unpaired({100}, {110, 120});
  EXPECT_NEAR(one.ratio, std::sqrt(110.0 * 120) / 100, 1e-12);
  EXPECT_TRUE(std::isnan(one.p));
  EXPECT_TRUE(std::isnan(one.interval(0.95).low));
  EXPECT_TRUE(std::isnan(compare_unpaired({}, {1, 2}).ratio));
  const Comparison with_failures = compare_unpaired({1000, NAN, 1020, 0, 990, 1010}, kAfter);
  EXPECT_EQ(with_failures.p, compare_unpaired(kBefore, kAfter).p);
}

// R: x <- log(c(14.9,12.1,17.4)); exp(mean(x)); exp(t.test(x)$conf.int)
TEST(GeometricMean, AgreesWithR) {
  const Mean mean = geometric_mean({14.9, 12.1, 17.4}, 0.95);
  EXPECT_NEAR(mean.value, 14.6388500545, 1e-9);
  EXPECT_NEAR(mean.interval.low, 9.30803853903, 1e-9);
  EXPECT_NEAR(mean.interval.high, 23.02267336125, 1e-9);
  EXPECT_TRUE(std::isnan(geometric_mean({5}, 0.95).interval.low));
  EXPECT_TRUE(std::isnan(geometric_mean({}, 0.95).value));
}

}  // namespace
}  // namespace lab::stats
