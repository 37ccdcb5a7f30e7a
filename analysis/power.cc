#include "analysis/power.h"

#include <algorithm>
#include <cmath>

#include "analysis/distributions.h"

namespace lab::stats {

double difference_power(double effect_se, double df, double alpha) {
  double critical = student_t_quantile(1 - alpha / 2, df);
  // Beyond this the noncentral series costs time and the answer is 1.
  if (std::abs(effect_se) > 30 * critical) return 1;
  // By symmetry; a positive shift keeps the small tail small.
  double shift = std::abs(effect_se);
  return 1 - noncentral_t_cdf(critical, df, shift) + noncentral_t_cdf(-critical, df, shift);
}

double detectable_effect_se(double df, double alpha, double power) {
  double low = 0;
  double high = 1;
  while (difference_power(high, df, alpha) < power) high *= 2;
  for (int i = 0; i < 60 && high - low > 1e-9 * high; ++i) {
    double middle = (low + high) / 2;
    (difference_power(middle, df, alpha) < power ? low : high) = middle;
  }
  return high;
}

double equivalence_power(double lower_se, double upper_se, double df, double alpha) {
  double critical = student_t_quantile(1 - alpha, df);
  // s is the estimated over the true standard error. Above `widest` no interval
  // of that width fits between the limits.
  double widest = (upper_se - lower_se) / (2 * critical);
  double likely = std::sqrt(chi_squared_quantile(1 - 1e-12, df) / df);
  double end = std::min(widest, likely);
  if (!(end > 0)) return 0;
  constexpr int steps = 500;
  double step = end / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    double s = (i + 0.5) * step;  // midpoints: the density has no value at 0 for df < 1
    double density = 2 * df * s * chi_squared_density(df * s * s, df);
    double inside = normal_cdf(upper_se - critical * s) - normal_cdf(lower_se + critical * s);
    sum += density * std::max(inside, 0.0) * step;
  }
  return std::min(sum, 1.0);
}

}  // namespace lab::stats
