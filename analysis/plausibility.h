// Differences that a factor is not known to make: more likely a fault of the measurement (another
// cluster, an empty image, a cache) than a finding.
#pragma once

#include <vector>

#include "analysis/mark_list.h"
#include "analysis/table.h"

namespace lab::analysis {

// Marks the rows whose IOPS are more than the plan's plausible ratio of a factor away from those of
// its baseline, all other factors being the same.
void mark_implausible(const results::Plan& plan, std::vector<TableRow>& rows, MarkList& marks);

}  // namespace lab::analysis
