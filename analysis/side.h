// One side of a comparison: a result directory, or a cell or a run of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/osd_memory.h"
#include "analysis/table.h"
#include "results/plan.h"
#include "runner/base/file.h"

namespace lab::analysis {

// What the user named: DIR, DIR:CELL or DIR@RUN.
struct Selection {
  fs::path directory;
  std::string cell;             // empty: all of them
  std::optional<unsigned> run;  // index of one run; `cell` is empty then
};

// The longest directory that the text begins with, so names may hold both separators.
// Throws lab::Error (Exit::usage) if there is none.
Selection parse_selection(const std::string& text);

struct Side {
  std::string name;                // as the user named it
  std::string place;               // its directory, as the user named it
  fs::path directory;              // canonical: the same on both sides is the same measurement
  std::string cell;                // chosen; empty: all
  bool single_run = false;         // the table holds one run only
  std::optional<std::string> job;  // the job as it was given; none if the directory keeps none
  results::Plan plan;
  Table table;
  OsdMemory memory;  // of the whole measurement; none of a single run
};

// Throws lab::Error as ResultReader::load, and (Exit::usage) for a cell or a run that is not
// there, naming those that are.
Side load_side(const std::string& text);

// A cell of a side, under a name that says so.
Side of_cell(Side side, const std::string& cell);

// The cell that a name means: its name, the text of the column Test, or its levels
// ("cache=off" or "cache=off,ioengine=libaio", all that are named have to agree). Null if
// there is none, or more than one.
const results::Cell* find_cell(const results::Plan& plan, std::string_view name);

// Names of all cells, for errors.
std::string cell_names(const results::Plan& plan);

// Rows of a cell, in the order of the plan.
std::vector<const TableRow*> rows_of(const Table& table, const std::string& cell);

}  // namespace lab::analysis
