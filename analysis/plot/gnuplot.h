// What lab needs of gnuplot: a script that draws in two formats, and a bounded run.
#pragma once

#include <optional>
#include <string>

#include "analysis/plot/drawing.h"

namespace lab::analysis {

// The script that draws NAME.svg and NAME.png. It names files without their folder, so that it
// works wherever the folder is.
std::string gnuplot_script(const Drawing& drawing);

// Runs the script NAME.gp in `directory`, without the user's own gnuplotrc. Returns what went
// wrong or what gnuplot complained of, in one line; none if all is well.
std::optional<std::string> run_gnuplot(const fs::path& directory, const std::string& name);

}  // namespace lab::analysis
