// One job, one matrix, one target: every run of the plan, measured and recorded.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/plan.h"
#include "results/writer.h"
#include "runner/experiment/progress.h"
#include "runner/experiment/world.h"
#include "runner/plan/job_file.h"
#include "runner/plan/matrix.h"
#include "runner/recovery/incident.h"
#include "runner/target/target.h"

namespace lab {

struct Experiment {
  JobFile job;  // scaled, with the runtime that was asked for
  std::vector<Cell> cells;
  double run_seconds = 0;  // expected length of fio in one run; 0 if the job doesn't say
  // Of the job's load after daemons were started anew, before anything is measured; 0: none.
  double warmup_s = 0;
  // A level that was not in effect makes its run fail; with this it counts, and the analysis marks
  // it invalid.
  bool allow_invalid = false;
  std::vector<results::Mark> marks;  // that every run gets: what holds during all of them
  // What befalls the cluster in each run, if anything: the job runs as long as that wants it, and
  // not at all if it wants no load.
  Incident* incident = nullptr;
};

// Called after each run with its index: brings the table on disk up to date and returns
// the run's figures in a few words.
using AfterRun = std::function<std::string(unsigned index)>;

// Called after the last run of a block. It may give the writer another plan, which goes on
// from there.
using AfterBlock = std::function<void(unsigned block)>;

struct Tally {
  size_t done = 0;
  double fio_s = 0;    // inside fio
  double other_s = 0;  // settling, applying, proving, writing
};

// Runs what of the plan is not finished yet. A run that fails is recorded with its reason and
// the others go on; three failures in a row end the experiment (Exit::environment). Throws
// lab::Error with Exit::interrupted after a signal; finished runs are kept.
// `tally` is up to date whatever ends it.
void run_experiment(const Experiment& experiment, World& world, Target& target,
                    results::ResultWriter& writer, Progress& progress, Tally& tally,
                    const AfterRun& after_run, const AfterBlock& after_block);

}  // namespace lab
