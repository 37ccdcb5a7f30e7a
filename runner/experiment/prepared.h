// Everything that is decided before a cluster is touched: pure reading of files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inventory/inventory.h"
#include "results/plan.h"
#include "runner/experiment/request.h"
#include "runner/plan/applicability.h"
#include "runner/plan/job_file.h"
#include "runner/plan/matrix.h"

namespace lab {

struct Prepared {
  RunRequest request;
  std::string title;     // name of the job file without its ending
  std::string job_text;  // as it was given, includes in place
  JobFile job;           // scaled, with the runtime that was asked for
  std::vector<std::string> factors;
  std::vector<Cell> cells;
  results::Plan plan;
  std::optional<Inventory> inventory;  // none for targets that are no cluster's
  uint64_t span_bytes = 0;             // that the job needs from the start of its device
  // Why this matrix on this target compares nothing, if so.
  std::optional<std::string> objection;
  std::string budget_text;  // what fits into request.budget_s and what it shows; else empty
  double run_seconds = 0;   // expected length of fio in one run; 0: the job doesn't say
};

// Throws lab::Error (Exit::usage) for whatever is wrong with job, matrix or inventory;
// fio itself is asked whether it takes the job.
Prepared prepare(const RunRequest& request);

// The same from a result directory, whose job and cells count, not the files they were
// read from. `directory` must hold a plan.
Prepared prepare_again(const fs::path& directory);

// Leaves out the cells that mean nothing on these daemons, with the reason in the plan. Throws
// lab::Error (Exit::usage) if nothing is left to compare.
void leave_out(Prepared& prepared, const DaemonFacts& facts);

// The newest result directory below `root` (or `root` itself) with planned runs that are
// not finished, made by the same procedure as is asked for; of its job, if one is given. Throws
// lab::Error (Exit::usage).
fs::path find_unfinished(const fs::path& root, const RunRequest& request);

// "recovery", "soak", or empty: runs of the job alone.
std::string procedure_of(const RunRequest& request);

// What the cells do to the cluster beside loading it, for people: restarts, changed options.
// Empty: nothing.
std::vector<std::string> disruptive_actions(const Prepared& prepared);

// The plan for people: cells with their settings, order, duration.
std::string describe_plan(const Prepared& prepared);

}  // namespace lab
