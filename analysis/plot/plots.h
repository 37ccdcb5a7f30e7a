// Plots of a result directory, drawn by gnuplot. Its script and data stay beside every
// picture, so that `cd DIR/plots && gnuplot NAME.gp` draws it again.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

struct Plot {
  std::string name;     // file name without ending: "iops", "latency", …
  std::string title;    // one line
  std::string caption;  // how to read it, a sentence or two
  fs::path svg, png;    // below DIR/plots
};

struct Plots {
  std::vector<Plot> drawn;
  // Why there are none, or fewer than there could be: gnuplot is not installed, or failed.
  std::vector<std::string> warnings;
};

// Writes scripts, data and pictures to `folder` (if it is empty, to `directory`/plots), each
// file by a rename. Draws what
// the table and the raw files have: kinds without data are left out. Never throws for a
// missing or failing gnuplot; throws lab::Error (Exit::environment) naming the file that could
// not be written.
Plots write_plots(const Table& table, const fs::path& directory, const fs::path& folder = {});

}  // namespace lab::analysis
