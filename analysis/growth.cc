#include "analysis/growth.h"

#include <algorithm>
#include <cmath>

#include "analysis/distributions.h"

namespace lab::stats {
namespace {

constexpr size_t kStretches = 48;
constexpr size_t kFewest = 12;

struct Line {
  double slope = 0;
  Interval interval95{};
};

// Means of `kStretches` stretches of equal time; those without values are left out.
TimeSeries stretches_of(const TimeSeries& series, double begin, double end) {
  struct Sum {
    double time = 0, value = 0, count = 0;
  };
  std::vector<Sum> sums(kStretches);
  const double width = (end - begin) / kStretches;
  for (const auto& [time, value] : series) {
    const auto at = std::min(static_cast<size_t>((time - begin) / width), kStretches - 1);
    sums[at].time += time;
    sums[at].value += value;
    sums[at].count += 1;
  }
  TimeSeries means;
  means.reserve(sums.size());
  for (const Sum& sum : sums)
    if (sum.count > 0) means.emplace_back(sum.time / sum.count, sum.value / sum.count);
  return means;
}

// How much the residuals of neighbours are alike, from 0 to nearly 1; what an estimate from so few
// is too small by is added (Marriott and Pope 1954, Biometrika 41).
double correlation_of(const std::vector<double>& residuals) {
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i < residuals.size(); ++i) {
    squares += residuals[i] * residuals[i];
    if (i > 0) products += residuals[i] * residuals[i - 1];
  }
  if (squares <= 0) return 0;
  const double seen = products / squares;
  return std::clamp(seen + (1 + 4 * seen) / static_cast<double>(residuals.size()), 0.0, 0.95);
}

Line fit(const TimeSeries& points) {
  const auto n = static_cast<double>(points.size());
  double mean_time = 0;
  double mean_value = 0;
  for (const auto& [time, value] : points) {
    mean_time += time / n;
    mean_value += value / n;
  }
  double spread = 0;
  double product = 0;
  for (const auto& [time, value] : points) {
    spread += (time - mean_time) * (time - mean_time);
    product += (time - mean_time) * (value - mean_value);
  }
  Line line;
  line.slope = product / spread;
  std::vector<double> residuals;
  residuals.reserve(points.size());
  double squares = 0;
  for (const auto& [time, value] : points) {
    residuals.push_back(value - mean_value - line.slope * (time - mean_time));
    squares += residuals.back() * residuals.back();
  }
  const double correlation = correlation_of(residuals);
  const double independent = n * (1 - correlation) / (1 + correlation);
  const double df = std::max(independent - 2, 1.0);
  // Both that there are fewer independent points and that the line takes more of their scatter.
  const double error = std::sqrt(squares / df / spread);
  const double wide = student_t_quantile(0.975, df) * error;
  line.interval95 = {line.slope - wide, line.slope + wide};
  return line;
}

}  // namespace

std::optional<Growth> growth_of(const TimeSeries& series) {
  if (series.size() < kFewest) return {};
  const auto [first, last] = std::minmax_element(
      series.begin(), series.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Growth growth;
  growth.hours = last->first - first->first;
  if (!(growth.hours > 0)) return {};
  const TimeSeries means = stretches_of(series, first->first, last->first);
  if (means.size() < kFewest) return {};
  const Line whole = fit(means);
  const Line half = fit({means.begin() + static_cast<ptrdiff_t>(means.size() / 2), means.end()});
  growth.per_hour = whole.slope;
  growth.interval95 = whole.interval95;
  growth.second_half95 = half.interval95;
  if (whole.interval95.low > 0)
    // A half whose interval holds 0 may still grow: it levels off only if it clearly grows less.
    growth.verdict = half.slope > 0 && half.interval95.high >= whole.slope
                         ? Growth::Verdict::grows
                         : Growth::Verdict::levels_off;
  else if (whole.interval95.high < 0)
    growth.verdict = Growth::Verdict::shrinks;
  return growth;
}

}  // namespace lab::stats
