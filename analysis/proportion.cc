#include "analysis/proportion.h"

#include <algorithm>
#include <cmath>

#include "analysis/distributions.h"

namespace lab::stats {

double standard_error(const Share& share) {
  const double p = share.value();
  return std::sqrt(p * (1 - p) / share.samples);
}

Interval wilson(const Share& share, double confidence) {
  if (!(share.samples > 0)) return {0, 1};
  const double n = share.samples;
  const double p = share.value();
  const double z = normal_quantile(1 - (1 - confidence) / 2);
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // The limits of no and of all hits are exact; rounding would miss them.
  return {share.hits <= 0 ? 0 : std::max(0.0, middle - half),
          share.hits >= n ? 1 : std::min(1.0, middle + half)};
}

Interval share_difference(const Share& before, const Share& after, double confidence) {
  if (!(before.samples > 0) || !(after.samples > 0)) return {-1, 1};
  const double p1 = after.value();
  const double p2 = before.value();
  const Interval i1 = wilson(after, confidence);
  const Interval i2 = wilson(before, confidence);
  return {p1 - p2 - std::hypot(p1 - i1.low, i2.high - p2),
          p1 - p2 + std::hypot(i1.high - p1, p2 - i2.low)};
}

}  // namespace lab::stats
