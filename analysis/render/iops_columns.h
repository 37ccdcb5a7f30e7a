// The columns of the w/r IOPS table, in forms for people.
#pragma once

#include <vector>

#include "analysis/render/layout.h"
#include "analysis/table.h"

namespace lab::analysis {

// A cell for each row. Columns that would say nothing are left out: flushes where there were
// none, verdicts where nothing was judged.
std::vector<Column> iops_columns(const Table& table);

}  // namespace lab::analysis
