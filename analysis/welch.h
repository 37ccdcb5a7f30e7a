// Samples that share no blocks: two measurements of different days, or one against a limit.
// On logarithms, as blocks.h: a difference of them is a ratio. What drifts between the two
// is in the difference and cannot be told from it.
//
// Values are positive figures, one a run; NaN or anything not above 0 is left out. Pure.
#pragma once

#include <vector>

#include "analysis/blocks.h"

namespace lab::stats {

// after / before by Welch's t test with Satterthwaite's degrees of freedom (Welch 1947,
// Biometrika 34). `blocks` of the result is the number of runs of the smaller sample, `cell`
// 0, `p_holm` p. The ratio is NaN without a value on each side, error and p without two.
Comparison compare_unpaired(const std::vector<double>& before, const std::vector<double>& after);

// Geometric mean and its Student interval; NaN in both without a value, in the interval
// without two.
struct Mean {
  double value;
  Interval interval;
};
Mean geometric_mean(const std::vector<double>& values, double confidence);

}  // namespace lab::stats
