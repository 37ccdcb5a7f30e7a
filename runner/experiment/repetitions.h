// How many repetitions, where that isn't simply asked for: as many as find a difference of
// the size that matters (--detect), or as fit into a time (--budget). Pure decisions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analysis/planning.h"
#include "runner/experiment/request.h"
#include "runner/plan/job_file.h"

namespace lab {

// Repetitions with which --detect begins: the least that a verdict takes, so that they
// cost nothing that would not have been spent anyway.
constexpr int kPilotRepetitions = 4;

// Runtime and repetitions for request.budget_s, before anything is known of the cluster.
// `starts_sandbox`: one may have to be started first. Throws lab::Error (Exit::usage) if not even
// two repetitions fit.
stats::BudgetPlan fit_budget(const RunRequest& request, const JobFile& job, size_t cells,
                             uint64_t span_bytes, bool starts_sandbox);

struct Progressed {
  size_t blocks_done = 0;
  size_t blocks_planned = 0;
  size_t cells = 0;
  double elapsed_s = 0;  // since lab began, sandbox and prefill included
  double run_s = 0;      // mean of the runs so far, everything around them included; 0: none yet
  std::optional<stats::PilotNoise> noise;  // of the runs so far
};

struct Decision {
  size_t blocks = 0;  // that the plan is to have from now on; never below those that are done
  std::string text;   // why, for people; empty: nothing to say
};

// Asked after every block.
Decision decide_repetitions(const RunRequest& request, const Progressed& progressed);

}  // namespace lab
