#include "analysis/blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "analysis/distributions.h"
#include "analysis/multiple.h"

namespace lab::stats {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Figures that agree to the last digit (a job limited by rate_iops) leave rounding
// errors as residuals. No benchmark is better than this.
constexpr double least_variance = 1e-18;

double mean_square(double sum_of_squares, double df) {
  return std::max(sum_of_squares / df, least_variance);
}

BlockTable logarithms(const BlockTable& values, size_t& missing) {
  BlockTable logs = values;
  for (std::vector<double>& row : logs)
    for (double& value : row) {
      value = value > 0 && std::isfinite(value) ? std::log(value) : unknown;
      if (std::isnan(value)) ++missing;
    }
  return logs;
}

std::vector<size_t> baseline_first(size_t cells, size_t baseline) {
  std::vector<size_t> order = {baseline};
  for (size_t c = 0; c < cells; ++c)
    if (c != baseline) order.push_back(c);
  return order;
}

// A straight line in time common to all blocks, beside block and cell effects.
struct Drift {
  double slope = 0;
  double times_ss = 0;                // what is left of the times beside the two effects
  std::vector<double> times_effects;  // by which cells ran later than the baseline
  double residual_ss = 0;
  double df = 0;
  double p = unknown;
  double span = 0;
};

std::optional<Drift> estimate_drift(const TwoWay& model, const TwoWayFit& fit,
                                    const BlockTable& logs, const BlockTable& times) {
  if (times.size() != logs.size() || fit.df < 2) return std::nullopt;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (size_t b = 0; b < logs.size(); ++b) {
    if (times[b].size() != logs[b].size()) return std::nullopt;
    for (size_t c = 0; c < logs[b].size(); ++c) {
      if (std::isnan(logs[b][c])) continue;
      if (!std::isfinite(times[b][c])) return std::nullopt;
      first = std::min(first, times[b][c]);
      last = std::max(last, times[b][c]);
    }
  }
  TwoWayFit of_times = model.fit(times);
  Drift drift;
  drift.span = last - first;
  drift.times_ss = of_times.residual_ss;
  drift.times_effects = of_times.effects;
  // The same order in every block: drift and cells can't be told apart.
  if (!(drift.times_ss > 1e-9 * drift.span * drift.span)) return std::nullopt;
  double product = 0;
  for (size_t b = 0; b < fit.residuals.size(); ++b)
    for (size_t i = 0; i < fit.residuals[b].size(); ++i)
      if (!std::isnan(fit.residuals[b][i]))
        product += fit.residuals[b][i] * of_times.residuals[b][i];
  drift.slope = product / drift.times_ss;
  drift.residual_ss = std::max(fit.residual_ss - drift.slope * product, 0.0);
  drift.df = fit.df - 1;
  double error = std::sqrt(mean_square(drift.residual_ss, drift.df) / drift.times_ss);
  drift.p = student_t_two_sided_p(drift.slope / error, drift.df);
  return drift;
}

// Whether the second block ran in reverse order of the first, so that the sum of a
// cell's two times is the same for all cells.
bool mirrored(const BlockTable& times, size_t first) {
  if (first + 1 >= times.size() || times[first].size() != times[first + 1].size()) return false;
  double n = 0, sum = 0, sum_squares = 0, own = 0, own_squares = 0;
  for (size_t c = 0; c < times[first].size(); ++c) {
    double total = times[first][c] + times[first + 1][c];
    if (!std::isfinite(total)) continue;
    n += 1;
    sum += total;
    sum_squares += total * total;
    own += times[first][c];
    own_squares += times[first][c] * times[first][c];
  }
  if (n < 2) return false;
  // Runs take about, not exactly, the same time.
  return sum_squares - sum * sum / n < 0.05 * (own_squares - own * own / n);
}

std::vector<size_t> mirrored_pairs(const BlockTable& times) {
  std::vector<size_t> firsts;
  for (size_t b = 0; b + 1 < times.size(); b += 2)
    if (mirrored(times, b)) firsts.push_back(b);
  return firsts;
}

BlockTable rows(const BlockTable& table, size_t first, size_t count) {
  auto begin = table.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// p of "the mean of a block and its mirror varies no more than noise within the pair
// explains". Curved drift biases both blocks of a pair alike, which makes it vary more.
double test_pairs(const BlockTable& logs, const std::vector<size_t>& firsts,
                  const std::vector<size_t>& cells) {
  if (firsts.size() < 2) return unknown;
  BlockTable paired;
  double within_ss = 0;
  double within_df = 0;
  for (size_t first : firsts) {
    BlockTable pair = rows(logs, first, 2);
    paired.insert(paired.end(), pair.begin(), pair.end());
    TwoWayFit fit = TwoWay(pair, cells).fit(pair);
    within_ss += fit.residual_ss;
    within_df += fit.df;
  }
  TwoWayFit all = TwoWay(paired, cells).fit(paired);
  double between_df = all.df - within_df;
  // With fewer the pairs alone could not carry an interval anyway.
  if (between_df < 3 || within_df < 1) return unknown;
  double between = std::max(all.residual_ss - within_ss, 0.0) / between_df;
  return f_upper_tail(between / mean_square(within_ss, within_df), between_df, within_df);
}

BlockTable pair_means(const BlockTable& logs, const std::vector<size_t>& firsts) {
  BlockTable means;
  for (size_t first : firsts) {
    std::vector<double> row(logs[first].size());
    for (size_t c = 0; c < row.size(); ++c) row[c] = (logs[first][c] + logs[first + 1][c]) / 2;
    means.push_back(std::move(row));
  }
  return means;
}

std::vector<Outlier> find_outliers(const TwoWay& model, const BlockTable& residuals,
                                   double residual_ss, double df,
                                   const std::vector<size_t>& cells) {
  std::vector<Outlier> found;
  if (df < 3) return found;
  double values = 0;
  for (const std::vector<double>& row : residuals)
    for (double r : row) values += std::isnan(r) ? 0 : 1;
  for (size_t b = 0; b < residuals.size(); ++b)
    for (size_t i = 0; i < residuals[b].size(); ++i) {
      double r = residuals[b][i];
      if (std::isnan(r)) continue;
      double freedom = 1 - model.leverage(b, i);
      if (freedom < 1e-9) continue;  // fitted exactly: nothing to compare it with
      // Judged by the noise of all other values, or one wild value would hide itself.
      double others = mean_square(std::max(residual_ss - r * r / freedom, 0.0), df - 1);
      double p = student_t_two_sided_p(r / std::sqrt(others * freedom), df - 1);
      if (p * values < 0.01) found.push_back({b, cells[i], std::exp(r / freedom)});
    }
  return found;
}

// The noise to judge comparisons by: pooled over the cells that are alike, and which
// cells must speak for themselves.
struct Noise {
  double variance = unknown;
  double df = 0;
  std::vector<bool> own;  // per index into cells
};

// Compares the scatter of each cell's differences from the baseline with that among all
// other cells: independent sums of squares, so F is exact under equal variances. Only a
// larger scatter counts: a smaller one errs on the safe side.
Noise judge_noise(const BlockTable& logs, const std::vector<size_t>& cells, double residual_ss,
                  double df, double slopes, const BlockOptions& options) {
  Noise noise;
  noise.own.assign(cells.size(), false);
  std::vector<size_t> pool = {cells[0]};
  for (size_t i = 1; i < cells.size(); ++i) {
    TwoWayFit pair;
    double p = 1;
    if (cells.size() > 2) {
      std::vector<size_t> two = {cells[0], cells[i]};
      pair = TwoWay(logs, two).fit(logs);
      double rest_ss = residual_ss - pair.residual_ss;
      double rest_df = df - pair.df;
      if (cells.size() > 3) {
        std::vector<size_t> rest;
        for (size_t j = 1; j < cells.size(); ++j)
          if (j != i) rest.push_back(cells[j]);
        TwoWayFit among = TwoWay(logs, rest).fit(logs);
        rest_ss = among.residual_ss;
        rest_df = among.df;
      }
      if (pair.df >= 1 && rest_df >= 1)
        p = f_upper_tail(mean_square(pair.residual_ss, pair.df) / mean_square(rest_ss, rest_df),
                         pair.df, rest_df);
    }
    noise.own[i] = p < options.own_variance_level;
    if (p >= options.leave_out_level) pool.push_back(cells[i]);
  }
  if (pool.size() == cells.size()) {
    noise.variance = df > 0 ? mean_square(residual_ss, df) : unknown;
    noise.df = df;
  } else if (pool.size() > 1) {
    TwoWayFit fit = TwoWay(logs, pool).fit(logs);
    noise.df = fit.df - slopes;  // a slope that was taken out before was estimated too
    noise.variance = noise.df > 0 ? mean_square(fit.residual_ss, noise.df) : unknown;
  }
  return noise;
}

Comparison own_comparison(const BlockTable& logs, size_t baseline, size_t cell) {
  std::vector<size_t> two = {baseline, cell};
  TwoWay model(logs, two);
  TwoWayFit fit = model.fit(logs);
  Comparison out;
  out.ratio = std::exp(fit.effects[1]);
  out.df = fit.df;
  out.standard_error = std::sqrt(mean_square(fit.residual_ss, fit.df) * model.variance_factor(1));
  out.own_variance = true;
  return out;
}

size_t blocks_with(const BlockTable& logs, size_t cell) {
  return static_cast<size_t>(std::count_if(logs.begin(), logs.end(), [&](const auto& row) {
    auto measured = std::count_if(row.begin(), row.end(), [](double v) { return !std::isnan(v); });
    return !std::isnan(row[cell]) && measured > 1;
  }));
}

}  // namespace

Interval Comparison::interval(double confidence) const {
  if (!(df > 0) || std::isnan(standard_error)) return {unknown, unknown};
  double half = student_t_quantile((1 + confidence) / 2, df) * standard_error;
  return {ratio * std::exp(-half), ratio * std::exp(half)};
}

BlockAnalysis analyse_blocks(const Blocks& blocks, const BlockOptions& options) {
  BlockAnalysis out;
  out.drift_ratio = out.drift_p = out.pairs_p = out.residual_sd = unknown;
  if (blocks.values.empty() || blocks.values[0].size() <= blocks.baseline) return out;
  BlockTable logs = logarithms(blocks.values, out.missing);
  const std::vector<size_t> cells = baseline_first(logs[0].size(), blocks.baseline);
  out.cells = cells.size();
  for (const std::vector<double>& row : logs)
    if (std::count_if(row.begin(), row.end(), [](double v) { return !std::isnan(v); }) > 1)
      ++out.blocks;

  TwoWay model(logs, cells);
  TwoWayFit fit = model.fit(logs);
  double residual_ss = fit.residual_ss;
  double df = fit.df;
  std::vector<double> effects = fit.effects;
  std::vector<double> extra_variance(cells.size(), 0);
  if (df > 0) out.model = Model::blocks;

  std::optional<Drift> drift = estimate_drift(model, fit, logs, blocks.times);
  BlockTable level = logs;  // with straight drift taken out, where there is any
  BlockTable residuals = fit.residuals;
  if (drift) {
    out.drift_ratio = std::exp(drift->slope * drift->span);
    out.drift_p = drift->p;
    if (drift->p < options.drift_level) {
      out.model = Model::blocks_and_drift;
      residual_ss = drift->residual_ss;
      df = drift->df;
      for (size_t b = 0; b < level.size(); ++b)
        for (size_t c = 0; c < level[b].size(); ++c)
          level[b][c] -= drift->slope * blocks.times[b][c];
      residuals = model.fit(level).residuals;
      for (size_t i = 0; i < cells.size(); ++i) {
        double later = drift->times_effects[i];
        effects[i] -= drift->slope * later;
        extra_variance[i] = later * later / drift->times_ss;
      }
    }
  }
  if (df > 0) {
    out.outliers = find_outliers(model, residuals, residual_ss, df, cells);
    out.residual_sd = std::sqrt(residual_ss / df);
  }

  std::vector<size_t> firsts = mirrored_pairs(blocks.times);
  if (blocks.times.size() == logs.size()) out.pairs_p = test_pairs(logs, firsts, cells);
  if (out.pairs_p < options.pairs_level) {
    BlockTable means = pair_means(logs, firsts);
    TwoWay of_means(means, cells);
    TwoWayFit means_fit = of_means.fit(means);
    if (means_fit.df > 0) {
      out.model = Model::mirrored_pairs;
      model = of_means;
      level = means;
      residual_ss = means_fit.residual_ss;
      df = means_fit.df;
      effects = means_fit.effects;
      std::fill(extra_variance.begin(), extra_variance.end(), 0.0);
      out.residual_sd = std::sqrt(2 * residual_ss / df);  // a mean of two is half as variable
    }
  }
  out.df = df;

  double slopes = out.model == Model::blocks_and_drift ? 1 : 0;
  Noise noise = judge_noise(level, cells, residual_ss, df, slopes, options);
  std::vector<double> p_values;
  for (size_t i = 1; i < cells.size(); ++i) {
    Comparison comparison;
    comparison.ratio = model.linked(i) ? std::exp(effects[i]) : unknown;
    comparison.standard_error = comparison.p = unknown;
    if (model.linked(i) && noise.df > 0 && !noise.own[i]) {
      comparison.df = noise.df;
      comparison.standard_error =
          std::sqrt(noise.variance * (model.variance_factor(i) + extra_variance[i]));
    } else if (noise.own[i]) {
      comparison = own_comparison(level, cells[0], cells[i]);
    }
    comparison.cell = cells[i];
    comparison.blocks = blocks_with(logs, cells[i]);
    if (comparison.df > 0)
      comparison.p = student_t_two_sided_p(std::log(comparison.ratio) / comparison.standard_error,
                                           comparison.df);
    p_values.push_back(comparison.p);
    out.comparisons.push_back(comparison);
  }
  std::vector<double> adjusted = holm(p_values);
  for (size_t i = 0; i < adjusted.size(); ++i) out.comparisons[i].p_holm = adjusted[i];
  return out;
}

}  // namespace lab::stats
