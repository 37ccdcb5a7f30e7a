#include "analysis/power.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::stats {

// R 4.2.2: power.t.test(n=20, delta=1, sd=1), power.t.test(n=4, delta=5, sd=1,
// sig.level=0.01, type="paired", strict=TRUE).
TEST(DifferencePower, AgreesWithR) {
  EXPECT_NEAR(difference_power(1 / std::sqrt(2.0 / 20), 38, 0.05), 0.868952801692, 1e-6);
  EXPECT_NEAR(difference_power(5 / std::sqrt(1.0 / 4), 3, 0.01), 0.958889352001, 1e-6);
}

TEST(DifferencePower, IsTheLevelWithoutAnEffectAndSymmetric) {
  EXPECT_NEAR(difference_power(0, 5, 0.05), 0.05, 1e-9);
  EXPECT_DOUBLE_EQ(difference_power(2, 5, 0.05), difference_power(-2, 5, 0.05));
  EXPECT_DOUBLE_EQ(difference_power(1e6, 3, 0.05), 1);
}

TEST(DetectableEffect, InvertsThePower) {
  for (double df : {1.0, 2.0, 3.0, 15.0, 200.0})
    for (double alpha : {0.05, 0.01})
      EXPECT_NEAR(difference_power(detectable_effect_se(df, alpha, 0.8), df, alpha), 0.8, 1e-6)
          << df << " " << alpha;
}

// Sample sizes of bioequivalence trials (2x2 crossover, limits 0.80 to 1.25, true
// ratio 0.95), exact power as tabulated by the R package PowerTOST.
TEST(EquivalencePower, AgreesWithPublishedCrossoverDesigns) {
  auto power = [](double cv, int n) {
    double se = std::sqrt(std::log(1 + cv * cv)) * std::sqrt(2.0 / n);
    return equivalence_power(std::log(0.8 / 0.95) / se, std::log(1.25 / 0.95) / se, n - 2, 0.05);
  };
  EXPECT_NEAR(power(0.20, 20), 0.834680, 1e-5);
  EXPECT_NEAR(power(0.30, 40), 0.815845, 1e-5);
}

TEST(EquivalencePower, IsSmallWhenLimitsAreNarrowAndAtMostAlphaOnTheLimit) {
  EXPECT_LT(equivalence_power(-1, 1, 3, 0.05), 0.02);
  EXPECT_NEAR(equivalence_power(-1000, 0, 10, 0.05), 0.05, 1e-3);
  EXPECT_NEAR(equivalence_power(-1000, 1000, 10, 0.05), 1, 1e-6);
}

}  // namespace lab::stats
