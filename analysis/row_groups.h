// Which rows of a table can be held against each other, and their repetitions in the form
// that statistics take.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/blocks.h"
#include "analysis/table.h"

namespace lab::analysis {

// One direction of the table: the figure that is compared and where its summary stands.
struct TableFigure {
  const char* name;  // "write IOPS"
  std::optional<double> Repetition::*value;
  Summary TableRow::*summary;
};
constexpr TableFigure kWriteIops = {"write IOPS", &Repetition::write_iops, &TableRow::write};
constexpr TableFigure kReadIops = {"read IOPS", &Repetition::read_iops, &TableRow::read};

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
stats::Blocks blocks_of(const Table& table, const RowGroup& group, const TableFigure& figure);

}  // namespace lab::analysis
