// plan.json: cells, phases, rows of the table and the order of runs, fixed before the
// first run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/base/json.h"

namespace lab::results {

using Levels = std::vector<std::pair<std::string, std::string>>;  // factor, level
// Empty for a factor that there isn't.
std::string level_of(const Levels& levels, const std::string& factor);

// One thing that varies, as far as the analysis has to know more of it than its levels' names.
struct Factor {
  std::string name;
  // Levels that differ from the baseline's IOPS by more than so many times, either way, are to be
  // doubted: nothing on this axis is known to do that. None: anything may be.
  std::optional<double> plausible_ratio;
};

// One combination of levels.
struct Cell {
  std::string name;  // unique; also part of folder names
  std::string test;  // what the table's column Test says
  Levels levels;
  // What the runner applied and expected, kept as it was: the analysis does not act on it.
  OrderedJson settings = OrderedJson::array();
  OrderedJson expect = OrderedJson::object();
  std::string control_of;  // the cell that this one is, once more under a second name; or empty
  // What is applied to it by starting daemons anew; cells of a block with the same text share one
  // restart. Empty: nothing is.
  std::string restart;
};

// The jobs that fio runs at the same time, between two stonewalls.
struct Phase {
  std::vector<std::string> sections;
  bool write = false;
  bool read = false;
};

// One row of the table: a cell in one phase or in a pair of phases.
struct Row {
  unsigned row = 0;  // 2 is the first one, below the header, as a spreadsheet counts
  std::string cell;
  std::string type;          // "rand rw", "seq rw", "rand mixed 50/50", "rand w", …
  uint64_t block_bytes = 0;  // 0: the job mixes sizes
  unsigned iodepth = 0;
  unsigned numjobs = 0;
  std::optional<unsigned> write_phase;  // indexes of `phases`, from 0
  std::optional<unsigned> read_phase;
  bool block_told = true;  // false for imported files only, which may leave the size open
};

struct PlannedRun {
  unsigned index = 0;  // from 1, in the order of running
  std::string cell;
  unsigned block = 0;     // from 1; one pass over all cells
  unsigned position = 0;  // from 1, within the block
  bool mirrored = true;   // another block runs its cells in the opposite order
  unsigned unit = 0;      // number of the restart that it belongs to; 0: none
};

// A cell of the matrix that is not run.
struct LeftOut {
  std::string cell;
  std::string reason;
};

struct Plan {
  uint64_t seed = 0;
  std::vector<Factor> factors;  // those that there is more to say of; others are in the cells only
  std::vector<Cell> cells;      // the first is the baseline
  std::vector<LeftOut> left_out;
  std::vector<Phase> phases;
  std::vector<Row> rows;
  std::vector<PlannedRun> runs;

  const Cell* find_cell(const std::string& name) const;
  const PlannedRun* find_run(unsigned index) const;
  // How many runs of a cell are planned.
  size_t repetitions(const std::string& cell) const;
};

// Throw lab::Error (Exit::usage) naming file, line and key, also for a plan that
// contradicts itself (unknown cell, phase out of range, a row number used twice).
Plan plan_from_json(const JsonDocument& document);
OrderedJson to_json(const Plan& plan);

}  // namespace lab::results
