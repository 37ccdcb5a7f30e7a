// The table of shares in the forms that a Grid has, and as JSON.
#pragma once

#include <string>

#include "analysis/profile/shares.h"
#include "analysis/render/grid.h"

namespace lab::analysis::profile {

// People get rounded percentages with their intervals, what each process's samples are, and
// how to read it; spreadsheets get a figure a column. `format` is one that a grid has.
Grid share_grid(const ShareTable& table, Format format);

// Everything, with a final newline.
std::string share_json(const ShareTable& table);

}  // namespace lab::analysis::profile
