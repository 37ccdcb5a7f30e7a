// Writes and reads: where each of the two stands in runs, rows and repetitions, so that what is
// said of one is said of the other in the same words.
#pragma once

#include <optional>

#include "analysis/table.h"

namespace lab::analysis {

struct IoDirection {
  const char* name;  // "write"
  const char* iops;  // "write IOPS"
  std::optional<unsigned> results::Row::*phase;
  std::optional<DirectionFigures> PhaseFigures::*figures;
  Summary TableRow::*summary;
  std::optional<double> Repetition::*value;  // IOPS; of writes, flush counted in
};
constexpr IoDirection kWrite = {
    "write",          "write IOPS",           &results::Row::write_phase, &PhaseFigures::write,
    &TableRow::write, &Repetition::write_iops};
constexpr IoDirection kRead = {
    "read",          "read IOPS",           &results::Row::read_phase, &PhaseFigures::read,
    &TableRow::read, &Repetition::read_iops};

// What a run measured for one direction of a row; null if nothing.
const DirectionFigures* figures_of(const RunFigures& run, const results::Row& row,
                                   const IoDirection& direction);

}  // namespace lab::analysis
