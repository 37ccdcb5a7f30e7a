// How tables are printed on stdout: as wide as the terminal, in colours only there.
#pragma once

#include <string>

#include "analysis/render/renderer.h"
#include "analysis/render/views.h"
#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab::cli {

// Colours on a terminal, unless NO_COLOR is set and not empty (no-color.org); the width of
// the terminal; into a pipe or a file as wide as it gets.
analysis::RenderOptions render_options_for_stdout();

// `lab: TEXT` on stderr. Never throws, as a print to a closed stderr would.
void warn(const std::string& text);

// On stdout, as it is; a full disk or a closed pipe is an error.
void print(const std::string& text);

// The table in one of analysis::format_names(), on stdout. Returns Exit::not_valid if its
// worst mark is invalid, else Exit::ok.
Exit print_table(const analysis::Table& table, const std::string& format);

// A view of the table, see analysis/render/views.h; the same status.
Exit print_view(const analysis::Table& table, const analysis::ViewOptions& view,
                const std::string& format);

// The recoveries of a result directory in a format of a grid, or "tidy"; the same status, and
// Exit::not_valid also if one of them failed.
Exit print_recoveries(const fs::path& directory, const std::string& format);

// The soak of a result directory in a format of a grid; likewise.
Exit print_soak(const fs::path& directory, const std::string& format);

}  // namespace lab::cli
