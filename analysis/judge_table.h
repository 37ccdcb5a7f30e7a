// Holds every row of a table against the baseline's: what the repetitions show, and what
// they can't.
#pragma once

#include "analysis/table.h"
#include "analysis/verdict.h"

namespace lab::analysis {

// Sets the judgements of the rows, the findings and the headline of the table. Rows of the same
// phases are compared (one for each cell); blocks are those of the plan. Pure.
void judge_table(Table& table, const stats::JudgeOptions& options = {});

}  // namespace lab::analysis
