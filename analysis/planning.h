// How many repetitions, how long: before the first run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analysis/blocks.h"

namespace lab::stats {

struct PilotNoise {
  double cv = 0;  // coefficient of variation of a single run, 0.01 is 1%
  double df = 0;
  // Estimated from few runs, a cv is about as often too small as too large. This one is
  // too small in one case of five only: plan with it (Browne 1995, Statist. Med. 14).
  double cv_cautious = 0;
};
// From a pilot, e.g. two blocks of the real matrix. None if it has nothing to judge noise by.
std::optional<PilotNoise> noise_of(const BlockAnalysis& pilot);

// The least even number of blocks, at least 4, that finds an effect (0.05: 5% more) in
// one of `cells` cells with this power, corrected for cells - 1 comparisons. None above
// 1000, or if cv or effect is not above 0.
std::optional<size_t> blocks_needed(double cv, double effect, size_t cells, double alpha = 0.05,
                                    double power = 0.8);

// The effect that so many blocks find; the inverse of blocks_needed. blocks, cells >= 2.
double detectable_effect(double cv, size_t blocks, size_t cells, double alpha = 0.05,
                         double power = 0.8);

struct BudgetRequest {
  double budget_s = 0;
  double fixed_s = 0;             // once: start of a sandbox, prefill
  double overhead_per_run_s = 0;  // settle, apply, verify, restart
  size_t cells = 2;
  size_t steps_per_run = 1;   // stonewalled steps of the job, each `runtime` long
  double runtime_min_s = 10;  // below it a run shows start-up and caches
  double runtime_max_s = 60;
  // Noise of a run of cv_runtime_s, and which share of its variance longer runs would not
  // take away, since it differs from run to run.
  double cv = 0.02;
  double cv_runtime_s = 30;
  double between_runs_share = 0.5;
  double alpha = 0.05;
  double power = 0.8;
};

struct BudgetPlan {
  size_t blocks = 0;  // 0: not even two fit; 2: figures without a verdict
  double runtime_s = 0;
  double total_s = 0;
  double detectable = 0;  // NaN below 4 blocks
  std::string text;
};

// Of all even numbers of blocks that fit, with the longest runtime that does, the one
// that sees most.
BudgetPlan plan_for_budget(const BudgetRequest& request);

}  // namespace lab::stats
