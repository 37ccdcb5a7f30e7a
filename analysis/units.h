// What one sample is. A level that is applied by restarting daemons is applied once for
// all runs until the next restart: those runs share the restart's luck (memory layout,
// which daemon leads, what the cache holds), so their mean is one sample, however many
// they are.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/blocks.h"

namespace lab::stats {

struct UnitRun {
  size_t block = 0;
  size_t cell = 0;
  // Which application of the level the run belongs to, e.g. the number of the restart.
  // Runs of one cell with the same number are one unit.
  size_t unit = 0;
  double time = 0;   // as in Blocks::times
  double value = 0;  // as in Blocks::values; NaN for a failed run, which still has to be listed
};

// One row for each block in which units begin, with the geometric mean of every unit's
// runs. Where every run is its own unit, these are the runs themselves. A unit that has
// no usable run is NaN. A second unit of the same cell that begins in the same block
// gets a row of its own below.
Blocks group_units(const std::vector<UnitRun>& runs, size_t cells, size_t baseline);

}  // namespace lab::stats
