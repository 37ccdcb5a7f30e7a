// Which rows of a table can be held against each other, and their repetitions in the form
// that statistics take.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/blocks.h"
#include "analysis/io_direction.h"

namespace lab::analysis {

// Rows of the same phases (one for each cell), as indexes of Table::rows.
struct RowGroup {
  std::vector<size_t> rows;
  size_t baseline = 0;  // index of `rows`
};
// Groups without a baseline or with a single row are left out.
std::vector<RowGroup> row_groups(const Table& table);

// What a repetition of a row gives; none if it has no such figure.
using RepetitionValue =
    std::function<std::optional<double>(const TableRow& row, const Repetition& repetition)>;

// A block is one of the plan. Where runs share a restart of daemons, the restart is the
// sample (see units.h).
stats::Blocks blocks_of(const Table& table, const RowGroup& group, const RepetitionValue& value);
// Of IOPS.
stats::Blocks blocks_of(const Table& table, const RowGroup& group, const IoDirection& direction);

}  // namespace lab::analysis
