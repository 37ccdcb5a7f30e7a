#include "analysis/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lab::stats {
namespace {

// Hours of samples every ten seconds: `level` + `slope` an hour, and noise of which each sample
// keeps `kept` of the one before, as memory does.
TimeSeries series(double hours, double level, double slope, double noise, double kept,
                  unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> draw(0, noise * std::sqrt(1 - kept * kept));
  TimeSeries out;
  double state = 0;
  for (double t = 0; t < hours; t += 10.0 / 3600) {
    state = kept * state + draw(random);
    out.emplace_back(t, level + slope * t + state);
  }
  return out;
}

TEST(Growth, FindsALeakAtItsRate) {
  const auto growth = growth_of(series(4, 800, 12, 3, 0.9, 1));
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->verdict, Growth::Verdict::grows);
  EXPECT_NEAR(growth->per_hour, 12, 1.5);
  EXPECT_LE(growth->interval95.low, 12);
  EXPECT_GE(growth->interval95.high, 12);
  EXPECT_NEAR(growth->hours, 4, 0.01);
}

TEST(Growth, AnExactLineIsFound) {
  TimeSeries line;
  for (int i = 0; i <= 100; ++i) line.emplace_back(i * 0.1, 5 + 2 * i * 0.1);
  const auto growth = growth_of(line);
  ASSERT_TRUE(growth);
  EXPECT_NEAR(growth->per_hour, 2, 1e-9);
  EXPECT_EQ(growth->verdict, Growth::Verdict::grows);
}

// 400 soaks of each kind: the interval is to hold the true rate about 95 times of 100, however much
// the samples resemble their neighbours.
TEST(Growth, CallsAFlatOneLeakingSeldom) {
  for (const double kept : {0.0, 0.9, 0.99, 0.997}) {
    int called = 0;
    for (unsigned seed = 0; seed < 400; ++seed)
      called += growth_of(series(2, 800, 0, 5, kept, seed))->verdict == Growth::Verdict::grows;
    EXPECT_LE(called, 24) << "correlation of neighbours: " << kept;  // 2.5% are 10
  }
}

TEST(Growth, IntervalsHoldTheRate) {
  for (const double kept : {0.0, 0.99}) {
    int held = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
      const auto growth = growth_of(series(2, 800, 7, 5, kept, seed));
      held += growth->interval95.low <= 7 && growth->interval95.high >= 7;
    }
    EXPECT_GE(held, 364) << kept;
  }
}

TEST(Growth, WhatLevelsOffIsNoLeak) {
  TimeSeries warming;
  std::mt19937 random(3);
  std::normal_distribution<double> draw(0, 1);
  for (double t = 0; t < 6; t += 0.01)
    warming.emplace_back(t, 1000 - 300 * std::exp(-t / 0.7) + draw(random));
  // A curve is no line: what the line misses makes its interval wide.
  EXPECT_NE(growth_of(warming)->verdict, Growth::Verdict::grows);

  TimeSeries bent;
  for (double t = 0; t < 6; t += 0.01)
    bent.emplace_back(t, 900 + 5 * std::min(t, 3.0) + 6 * draw(random));
  EXPECT_EQ(growth_of(bent)->verdict, Growth::Verdict::levels_off);
}

TEST(Growth, ShrinkingAndTooFew) {
  EXPECT_EQ(growth_of(series(4, 800, -12, 3, 0.9, 1))->verdict, Growth::Verdict::shrinks);
  EXPECT_FALSE(growth_of({}));
  EXPECT_FALSE(growth_of({{0, 1}, {1, 2}}));
  EXPECT_FALSE(growth_of(TimeSeries(50, {1.0, 2.0}))) << "no time has passed";
}

}  // namespace
}  // namespace lab::stats
