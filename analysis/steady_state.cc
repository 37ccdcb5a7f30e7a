#include "analysis/steady_state.h"

#include <cmath>
#include <cstddef>

namespace lab::stats {
namespace {

constexpr double kDriftShare = 0.10;
constexpr double kExcursionShare = 0.20;
// Seconds hang together (a compaction takes several), windows hardly do, so it is they that tell
// the noise. The limit is set by simulation (docs/method.md has how often steady runs are marked).
constexpr size_t kDriftWindows = 10;
constexpr double kDriftT = 4.50;
// One of five windows against the other four: 3 degrees of freedom, p = 0.01 for all five.
constexpr size_t kExcursionWindows = 5;
constexpr double kExcursionT = 10.2;

std::vector<double> window_means(const std::vector<double>& values, size_t windows) {
  std::vector<double> means;
  for (size_t window = 0; window < windows; ++window) {
    const size_t begin = window * values.size() / windows;
    const size_t end = (window + 1) * values.size() / windows;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) sum += values[i];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<Unsteady> find_drift(const std::vector<double>& means) {
  const double mean = mean_of(means);
  const auto count = static_cast<double>(means.size());
  const double middle = (count - 1) / 2;
  double sum_xx = 0;
  double sum_xy = 0;
  for (size_t i = 0; i < means.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    sum_xx += x * x;
    sum_xy += x * (means[i] - mean);
  }
  const double slope = sum_xy / sum_xx;
  // From step to step, not around the line: the noise is then the same for a straight drift, one
  // that fades, and a cliff.
  double steps = 0;
  for (size_t i = 1; i < means.size(); ++i)
    steps += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
  const double share = slope * count / mean;
  const double error = std::sqrt(steps / (2 * (count - 1)) / sum_xx);
  if (std::abs(share) <= kDriftShare || std::abs(slope) <= kDriftT * error) return {};
  return Unsteady{Unsteady::Kind::drift, 100 * share};
}

std::optional<Unsteady> find_excursion(const std::vector<double>& means) {
  const auto others = static_cast<double>(means.size() - 1);
  std::optional<Unsteady> worst;
  for (size_t i = 0; i < means.size(); ++i) {
    double rest = 0;
    for (size_t j = 0; j < means.size(); ++j)
      if (j != i) rest += means[j] / others;
    double squares = 0;
    for (size_t j = 0; j < means.size(); ++j)
      if (j != i) squares += (means[j] - rest) * (means[j] - rest);
    if (rest <= 0) continue;
    const double share = (means[i] - rest) / rest;
    const double error = std::sqrt(squares / (others - 1) * (1 + 1 / others));
    if (std::abs(share) <= kExcursionShare || std::abs(means[i] - rest) <= kExcursionT * error)
      continue;
    if (!worst || std::abs(100 * share) > std::abs(worst->percent))
      worst = Unsteady{Unsteady::Kind::excursion, 100 * share};
  }
  return worst;
}

}  // namespace

std::optional<Unsteady> find_unsteady(const std::vector<double>& iops) {
  if (iops.size() < kSteadyLeastPoints || mean_of(iops) <= 0) return {};
  if (auto drift = find_drift(window_means(iops, kDriftWindows))) return drift;
  return find_excursion(window_means(iops, kExcursionWindows));
}

}  // namespace lab::stats
