// What lab needs of gnuplot: scripts that cannot be led astray by names, and a bounded run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runner/base/file.h"

namespace lab::analysis {

// A text as a gnuplot string: in single quotes, where gnuplot neither substitutes commands nor
// macros, nor reads escapes; control characters become spaces.
std::string gnuplot_text(std::string_view text);

// A script that draws `body` as NAME.svg and NAME.png, width × height pixels. It names files
// without their folder, so that it works wherever the folder is.
std::string gnuplot_script(const std::string& name, int width, int height, const std::string& body);

// Colours that people with colour blindness tell apart (Okabe and Ito 2008), repeating.
std::string series_colour(size_t index);

// Runs the script NAME.gp in `directory`. Returns what went wrong, in one line; none if
// the picture is there.
std::optional<std::string> run_gnuplot(const fs::path& directory, const std::string& name);

}  // namespace lab::analysis
