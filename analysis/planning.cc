#include "analysis/planning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/distributions.h"
#include "analysis/power.h"

namespace lab::stats {

namespace {

constexpr size_t most_blocks = 1000;

// Standard deviation of logarithms with this coefficient of variation, and back.
double log_sd(double cv) { return std::sqrt(std::log1p(cv * cv)); }
double cv_of(double sd) { return std::sqrt(std::expm1(sd * sd)); }

double standard_error(double cv, size_t blocks) {
  return log_sd(cv) * std::sqrt(2.0 / static_cast<double>(blocks));
}

double residual_df(size_t blocks, size_t cells) {
  return static_cast<double>((blocks - 1) * (cells - 1));
}

double corrected(double alpha, size_t cells) { return alpha / static_cast<double>(cells - 1); }

std::string minutes(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 7200) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", std::ceil(seconds / 360) / 10);
}

double total(const BudgetRequest& request, size_t blocks, double runtime_s) {
  double runs = static_cast<double>(blocks * request.cells);
  return request.fixed_s + runs * (request.overhead_per_run_s +
                                   static_cast<double>(request.steps_per_run) * runtime_s);
}

}  // namespace

std::optional<PilotNoise> noise_of(const BlockAnalysis& pilot) {
  if (!(pilot.df > 0) || std::isnan(pilot.residual_sd)) return std::nullopt;
  double factor = std::sqrt(pilot.df / chi_squared_quantile(0.2, pilot.df));
  return PilotNoise{cv_of(pilot.residual_sd), pilot.df, cv_of(pilot.residual_sd * factor)};
}

std::optional<size_t> blocks_needed(double cv, double effect, size_t cells, double alpha,
                                    double power) {
  if (!(cv > 0) || !(effect > 0) || cells < 2) return std::nullopt;
  for (size_t blocks = 4; blocks <= most_blocks; blocks += 2)
    if (difference_power(std::log1p(effect) / standard_error(cv, blocks),
                         residual_df(blocks, cells), corrected(alpha, cells)) >= power)
      return blocks;
  return std::nullopt;
}

double detectable_effect(double cv, size_t blocks, size_t cells, double alpha, double power) {
  return std::expm1(standard_error(cv, blocks) * detectable_effect_se(residual_df(blocks, cells),
                                                                      corrected(alpha, cells),
                                                                      power));
}

BudgetPlan plan_for_budget(const BudgetRequest& request) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  BudgetPlan best;
  best.detectable = unknown;
  size_t cells = std::max<size_t>(request.cells, 2);
  for (size_t blocks = 2; blocks <= most_blocks; blocks += 2) {
    double steps = static_cast<double>(blocks * request.cells * request.steps_per_run);
    double spare = request.budget_s - total(request, blocks, 0);
    double runtime = std::min(std::floor(spare / steps), request.runtime_max_s);
    if (runtime < request.runtime_min_s) break;
    BudgetPlan plan{blocks, runtime, total(request, blocks, runtime), unknown, {}};
    if (blocks >= 4) {
      double within = request.cv_runtime_s / runtime;
      double variance = request.cv * request.cv *
                        (request.between_runs_share + (1 - request.between_runs_share) * within);
      plan.detectable =
          detectable_effect(std::sqrt(variance), blocks, cells, request.alpha, request.power);
    }
    // More blocks have to be worth their shorter runs.
    if (std::isnan(best.detectable) || plan.detectable < best.detectable * 0.99) best = plan;
  }
  if (best.blocks == 0) {
    best.text = fmt::format(
        "{} is too short: {} cells of {:.0f} s take {} for 2 repetitions, and {} for the 4 that a "
        "verdict takes",
        minutes(request.budget_s), request.cells, request.runtime_min_s,
        minutes(total(request, 2, request.runtime_min_s)),
        minutes(total(request, 4, request.runtime_min_s)));
  } else if (best.blocks < 4) {
    best.text = fmt::format(
        "2 repetitions of {:.0f} s in {}: figures without a verdict, which takes {} for 4 of "
        "{:.0f} s",
        best.runtime_s, minutes(best.total_s), minutes(total(request, 4, request.runtime_min_s)),
        request.runtime_min_s);
  } else {
    best.text = fmt::format(
        "{} repetitions of {:.0f} s in {}: differences of {:.1f}% or more can be seen if a run "
        "of {:.0f} s varies by {:.1f}%",
        best.blocks, best.runtime_s, minutes(best.total_s), 100 * best.detectable,
        request.cv_runtime_s, 100 * request.cv);
  }
  return best;
}

}  // namespace lab::stats
