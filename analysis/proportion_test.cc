#include "analysis/proportion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lab::stats {
namespace {

TEST(Proportion, WilsonAgreesWithPublishedIntervals) {
  // Newcombe 1998, Stat. Med. 17, 857-872, table I, method 3.
  struct Case {
    double hits, samples, low, high;
  };
  for (const Case& c : {Case{81, 263, 0.2553, 0.3662},
                        {15, 148, 0.0624, 0.1605},
                        {0, 20, 0, 0.1611},
                        {1, 29, 0.0061, 0.1718}}) {
    const Interval interval = wilson({c.hits, c.samples}, 0.95);
    EXPECT_NEAR(interval.low, c.low, 0.00005) << c.hits;
    EXPECT_NEAR(interval.high, c.high, 0.00005) << c.hits;
  }
}

TEST(Proportion, DifferenceAgreesWithPublishedIntervals) {
  // Newcombe 1998, Stat. Med. 17, 873-890, table II, method 10.
  struct Case {
    Share one, other;
    double low, high;
  };
  for (const Case& c : {Case{{56, 70}, {48, 80}, 0.0524, 0.3339},
                        {{9, 10}, {3, 10}, 0.1705, 0.8090},
                        {{6, 7}, {2, 7}, 0.0582, 0.8062},
                        {{5, 56}, {0, 29}, -0.0381, 0.1926},
                        {{0, 10}, {0, 20}, -0.1611, 0.2775},
                        {{10, 10}, {0, 10}, 0.6075, 1.0}}) {
    const Interval interval = share_difference(c.other, c.one, 0.95);
    EXPECT_NEAR(interval.low, c.low, 0.00005) << c.one.hits;
    EXPECT_NEAR(interval.high, c.high, 0.00005) << c.one.hits;
  }
}

TEST(Proportion, LimitsAreExact) {
  EXPECT_EQ(wilson({0, 7}, 0.95).low, 0);
  EXPECT_EQ(wilson({7, 7}, 0.95).high, 1);
  EXPECT_EQ(wilson({0, 0}, 0.95).high, 1);
  EXPECT_EQ(share_difference({0, 0}, {3, 4}, 0.95).low, -1);
  EXPECT_NEAR(standard_error({25, 100}), 0.0433013, 1e-7);
}

// The true share lies in about 95 of 100 intervals, also with few samples.
TEST(Proportion, CoversTheTruth) {
  std::mt19937 random(11);
  for (double truth : {0.02, 0.2, 0.5}) {
    for (int samples : {40, 400}) {
      std::binomial_distribution<int> draw(samples, truth);
      int covered = 0;
      int equal = 0;
      constexpr int kTrials = 4000;
      for (int i = 0; i < kTrials; ++i) {
        const Share one{static_cast<double>(draw(random)), static_cast<double>(samples)};
        const Share other{static_cast<double>(draw(random)), static_cast<double>(samples)};
        const Interval interval = wilson(one, 0.95);
        covered += interval.low <= truth && truth <= interval.high;
        const Interval difference = share_difference(one, other, 0.95);
        equal += difference.low <= 0 && 0 <= difference.high;
      }
      EXPECT_GT(covered, kTrials * 92 / 100) << truth << " " << samples;
      EXPECT_GT(equal, kTrials * 93 / 100) << truth << " " << samples;
    }
  }
}

}  // namespace
}  // namespace lab::stats
