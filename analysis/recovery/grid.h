// The table of recoveries in its forms.
#pragma once

#include "analysis/recovery/table.h"
#include "analysis/render/grid.h"

namespace lab::analysis {

// For people a line a cell with the most important figures, their differences from the baseline
// and what is to be read with them; for spreadsheets all figures, each in a column of its own.
// Throws lab::Error (Exit::usage) for a format without grids.
Grid recovery_grid(const RecoveryTable& table, Format format);

// Each figure of each recovery and of each daemon in it, a record each.
Grid recovery_tidy(const RecoveryTable& table);

}  // namespace lab::analysis
