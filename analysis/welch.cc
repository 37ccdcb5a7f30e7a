#include "analysis/welch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/distributions.h"

namespace lab::stats {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
// Figures that agree to the last digit leave rounding errors as variance; as in blocks.cc.
constexpr double least_variance = 1e-18;

struct Sample {
  size_t count = 0;
  double mean = unknown;
  double variance = unknown;  // of one value

  double variance_of_mean() const { return variance / static_cast<double>(count); }
};

Sample of_logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (double value : values)
    if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
  Sample sample;
  sample.count = logs.size();
  if (logs.empty()) return sample;
  const auto n = static_cast<double>(logs.size());
  double sum = 0;
  for (double log : logs) sum += log;
  sample.mean = sum / n;
  if (logs.size() < 2) return sample;
  double squares = 0;
  for (double log : logs) squares += (log - sample.mean) * (log - sample.mean);
  sample.variance = std::max(squares / (n - 1), least_variance);
  return sample;
}

}  // namespace

Comparison compare_unpaired(const std::vector<double>& before, const std::vector<double>& after) {
  const Sample a = of_logarithms(before);
  const Sample b = of_logarithms(after);
  Comparison out;
  out.blocks = std::min(a.count, b.count);
  out.ratio = std::exp(b.mean - a.mean);
  out.standard_error = out.p = out.p_holm = unknown;
  if (out.blocks < 2) return out;
  const double va = a.variance_of_mean();
  const double vb = b.variance_of_mean();
  out.standard_error = std::sqrt(va + vb);
  out.df =
      (va + vb) * (va + vb) /
      (va * va / static_cast<double>(a.count - 1) + vb * vb / static_cast<double>(b.count - 1));
  out.p = out.p_holm = student_t_two_sided_p((b.mean - a.mean) / out.standard_error, out.df);
  return out;
}

Mean geometric_mean(const std::vector<double>& values, double confidence) {
  const Sample sample = of_logarithms(values);
  Mean out{std::exp(sample.mean), {unknown, unknown}};
  if (sample.count < 2) return out;
  const double half =
      student_t_quantile((1 + confidence) / 2, static_cast<double>(sample.count - 1)) *
      std::sqrt(sample.variance_of_mean());
  out.interval = {out.value * std::exp(-half), out.value * std::exp(half)};
  return out;
}

}  // namespace lab::stats
