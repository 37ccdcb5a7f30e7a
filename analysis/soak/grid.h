// A soak as a table: a line a service.
#pragma once

#include "analysis/render/grid.h"
#include "analysis/soak/summary.h"

namespace lab::analysis {

// For people megabytes and the verdict of each service, with what clients got and what happened;
// for spreadsheets all figures. Throws lab::Error (Exit::usage) for a format without grids.
Grid soak_grid(const SoakSummary& summary, Format format);

}  // namespace lab::analysis
