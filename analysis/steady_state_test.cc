#include "analysis/steady_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/simulation.h"

namespace lab::stats {
namespace {

std::vector<double> course(size_t points, double (*at)(double), double noise = 0,
                           uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> iops;
  for (size_t i = 0; i < points; ++i)
    iops.push_back(1000 * at(static_cast<double>(i) / static_cast<double>(points - 1)) *
                   (1 + noise * random.normal()));
  return iops;
}

double level(double) { return 1; }
double rising(double u) { return 0.8 + 0.4 * u; }
double cliff(double u) { return u < 0.6 ? 1 : 0.5; }
double dip(double u) { return u >= 0.4 && u < 0.6 ? 0.5 : 1; }

TEST(FindUnsteady, ALevelCourseIsSteady) {
  EXPECT_FALSE(find_unsteady(course(60, level)));
  EXPECT_FALSE(find_unsteady(std::vector<double>(60, 0)));
}

TEST(FindUnsteady, ADriftIsTheFittedLinesRise) {
  const auto up = find_unsteady(course(60, rising, 0.02));
  ASSERT_TRUE(up);
  EXPECT_EQ(up->kind, Unsteady::Kind::drift);
  EXPECT_NEAR(up->percent, 40, 3);
  const auto down = find_unsteady(course(60, cliff, 0.02));
  ASSERT_TRUE(down);
  EXPECT_EQ(down->kind, Unsteady::Kind::drift);
  EXPECT_LT(down->percent, -50);
}

TEST(FindUnsteady, ADipIsAnExcursionOfThatFifth) {
  const auto found = find_unsteady(course(60, dip, 0.02));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, Unsteady::Kind::excursion);
  EXPECT_NEAR(found->percent, -50, 3);
}

TEST(FindUnsteady, LimitsAreThoseOfThePerformanceTestSpecification) {
  EXPECT_FALSE(find_unsteady(course(60, [](double u) { return 0.955 + 0.09 * u; })));
  EXPECT_TRUE(find_unsteady(course(60, [](double u) { return 0.94 + 0.12 * u; })));
  EXPECT_FALSE(find_unsteady(course(60, [](double u) { return u >= 0.4 && u < 0.6 ? 0.85 : 1; })));
  EXPECT_TRUE(find_unsteady(course(60, [](double u) { return u >= 0.4 && u < 0.6 ? 0.75 : 1; })));
}

TEST(FindUnsteady, TooFewPointsSayNothing) {
  EXPECT_FALSE(find_unsteady(course(kSteadyLeastPoints - 1, rising)));
  EXPECT_TRUE(find_unsteady(course(kSteadyLeastPoints, rising)));
  EXPECT_FALSE(find_unsteady({}));
}

// How often steady runs of noisy seconds are called unsteady.
TEST(FindUnsteady, FalseAlarmsAreRare) {
  for (size_t points : {30u, 60u, 300u}) {
    int alarms = 0;
    constexpr int kRuns = 2000;
    for (int run = 0; run < kRuns; ++run)
      alarms += find_unsteady(course(points, level, 0.2, static_cast<uint64_t>(run) + 1)) ? 1 : 0;
    EXPECT_LE(alarms, kRuns / 100) << points << " points";
  }
}

}  // namespace
}  // namespace lab::stats
