// How tables are printed on stdout: as wide as the terminal, in colours only there.
#pragma once

#include <string>
#include <string_view>

#include "analysis/render/renderer.h"
#include "runner/base/error.h"

namespace lab::cli {

// Colours on a terminal, unless NO_COLOR is set and not empty (no-color.org); the width of
// the terminal; into a pipe or a file as wide as it gets.
analysis::RenderOptions render_options_for_stdout();

// On stdout, as it is; a full disk or a closed pipe is an error.
void print(const std::string& text);

// "3%", "0.5%" or "3": 0.03, 0.005, 0.03. Throws lab::Error (Exit::usage) naming the option for
// anything that is no percentage from 0 to under 100.
double parse_percent(std::string_view option, std::string_view text);

// The table in one of analysis::format_names(), on stdout. Returns Exit::not_valid if its
// worst mark is invalid, else Exit::ok.
Exit print_table(const analysis::Table& table, const std::string& format);

}  // namespace lab::cli
