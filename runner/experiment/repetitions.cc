#include "runner/experiment/repetitions.h"

#include <algorithm>
#include <cmath>

#include "runner/base/error.h"
#include "runner/plan/rewrite.h"
#include "runner/plan/shape.h"

namespace lab {
namespace {

// What a budget has to reckon with before it is known: generous, and corrected while runs go on.
constexpr double kSandboxStart_s = 10;
constexpr double kPrefillBytesPerSecond = 150e6;
constexpr double kAroundARun_s = 2;
constexpr double kPower = 0.8;

std::string noise_text(const stats::PilotNoise& noise) {
  return fmt::format("a run varies by {:.1f}% (reckoned with: {:.1f}%)", 100 * noise.cv,
                     100 * noise.cv_cautious);
}

std::string sees(const Progressed& p, size_t blocks) {
  const double effect = stats::detectable_effect(p.noise->cv_cautious, blocks, p.cells);
  return fmt::format("{} repetitions find a difference of {:.1f}% with probability {:.0f}%", blocks,
                     100 * effect, 100 * kPower);
}

Decision after_pilot(const RunRequest& request, const Progressed& p) {
  const size_t most = std::max(static_cast<size_t>(request.repeat), p.blocks_done);
  if (!p.noise)
    return {p.blocks_planned,
            "--detect: the pilot does not tell how much runs vary (too few of them went well); no "
            "repetitions are added"};
  const auto needed = stats::blocks_needed(p.noise->cv_cautious, *request.detect, p.cells);
  const size_t blocks = std::min(needed.value_or(most), most);
  if (!needed || *needed > most)
    return {blocks, fmt::format("--detect: {}; {}", noise_text(*p.noise), sees(p, blocks)) +
                        (needed ? fmt::format("; {:.1f}% would take {} (--repeat sets the most)",
                                              100 * *request.detect, *needed)
                                : fmt::format("; {:.1f}% is out of reach", 100 * *request.detect))};
  return {std::max(blocks, p.blocks_done),
          fmt::format("--detect: {}; {}", noise_text(*p.noise), sees(p, blocks))};
}

// Whole pairs only: a block without its mirror is worth less than it costs.
Decision within_budget(const RunRequest& request, const Progressed& p) {
  if (p.blocks_done % 2 != 0 || !(p.run_s > 0)) return {p.blocks_planned, ""};
  const double pair_s = 2 * p.run_s * static_cast<double>(p.cells);
  const double left_s = *request.budget_s - p.elapsed_s;
  const auto pairs = static_cast<size_t>(std::max(0.0, std::floor(left_s / pair_s)));
  const size_t blocks = p.blocks_done + 2 * pairs;
  std::string text;
  if (blocks != p.blocks_planned)
    text =
        fmt::format("--budget: {} repetitions fit into the time, not {}", blocks, p.blocks_planned);
  if (p.noise && blocks >= kPilotRepetitions && p.cells >= 2 &&
      (!text.empty() || p.blocks_done == kPilotRepetitions))
    text += (text.empty() ? "--budget: " : "; ") +
            fmt::format("{}; {}", noise_text(*p.noise), sees(p, blocks));
  return {blocks, text};
}

}  // namespace

stats::BudgetPlan fit_budget(const RunRequest& request, const JobFile& job, size_t cells,
                             uint64_t span_bytes, bool starts_sandbox) {
  stats::BudgetRequest asked;
  asked.budget_s = *request.budget_s;
  asked.fixed_s = (starts_sandbox ? kSandboxStart_s : 0) +
                  static_cast<double>(span_bytes) / kPrefillBytesPerSecond;
  asked.cells = cells;
  asked.steps_per_run = phases_of(job).size();
  if (request.runtime_s) asked.runtime_min_s = asked.runtime_max_s = *request.runtime_s;
  // What a run takes beside its steps' runtimes: ramp times, and what lab does around it.
  JobFile trial = job;
  override_runtime(trial, asked.runtime_min_s);
  asked.overhead_per_run_s =
      kAroundARun_s + std::max(0.0, run_seconds(trial) - static_cast<double>(asked.steps_per_run) *
                                                             asked.runtime_min_s);
  stats::BudgetPlan plan = stats::plan_for_budget(asked);
  if (plan.blocks == 0) throw usage_error("--budget: {}", plan.text);
  return plan;
}

Decision decide_repetitions(const RunRequest& request, const Progressed& p) {
  if (request.budget_s) return within_budget(request, p);
  if (request.detect && p.blocks_done == p.blocks_planned && p.blocks_done == kPilotRepetitions)
    return after_pilot(request, p);
  return {p.blocks_planned, ""};
}

}  // namespace lab
