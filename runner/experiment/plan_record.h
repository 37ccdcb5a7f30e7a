// The plan as the result directory keeps it.
#pragma once

#include <cstdint>

#include "results/plan.h"
#include "runner/plan/job_file.h"
#include "runner/plan/matrix.h"

namespace lab {

// Cells in their order, the table's rows (cell by cell, numbered from 2 as a spreadsheet
// counts them) and the order of runs.
results::Plan make_plan(const JobFile& job, const std::vector<Cell>& cells, int repeat,
                        uint64_t seed);

// The same plan with another number of blocks: what was planned stays in its place, so that a
// measurement that has begun can go on with it.
results::Plan with_repetitions(results::Plan plan, int repeat);

// The same cells, each `repeat` times in a row: what daemons are started anew for is applied to a
// cell once.
results::Plan one_after_the_other(results::Plan plan, int repeat);

}  // namespace lab
