#include "runner/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "analysis/recovery/grid.h"
#include "analysis/soak/grid.h"
#include "results/reader.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::cli {

analysis::RenderOptions render_options_for_stdout() {
  analysis::RenderOptions options;
  if (!isatty(STDOUT_FILENO)) return options;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) options.width = size.ws_col;
  const char* no_color = getenv("NO_COLOR");
  options.colours = !no_color || !*no_color;
  return options;
}

void warn(const std::string& text) { std::fputs(("lab: " + text + "\n").c_str(), stderr); }

void print(const std::string& text) {
  if (fwrite(text.data(), 1, text.size(), stdout) != text.size() || fflush(stdout) != 0)
    throw environment_error("cannot write to stdout");
}

namespace {

analysis::Format known_format(const std::string& format) {
  auto known = analysis::format_from_text(format);
  if (!known)
    throw usage_error("--format={}: unknown; one of {}", format,
                      join(analysis::format_names(), ", "));
  return *known;
}

Exit status_of(const analysis::Table& table) {
  return table.worst_mark() == results::Weight::invalid ? Exit::not_valid : Exit::ok;
}

}  // namespace

Exit print_table(const analysis::Table& table, const std::string& format) {
  print(analysis::make_renderer(known_format(format), render_options_for_stdout())->render(table));
  return status_of(table);
}

Exit print_recoveries(const fs::path& directory, const std::string& format) {
  const analysis::Format form = known_format(format);
  const analysis::RecoveryTable table =
      analysis::load_recovery_table(results::ResultReader::load(directory));
  for (const std::string& warning : table.warnings) warn(warning);
  if (form == analysis::Format::tidy)
    print(analysis::render_grid(analysis::recovery_tidy(table), analysis::Format::csv));
  else
    print(analysis::render_grid(analysis::recovery_grid(table, form), form,
                                render_options_for_stdout()));
  const bool failed = std::any_of(table.rows.begin(), table.rows.end(),
                                  [](const auto& row) { return row.failed > 0; });
  if (failed) warn("some recoveries failed (see the marks); --resume repeats them");
  return failed ? Exit::not_valid : status_of(table.table);
}

Exit print_soak(const fs::path& directory, const std::string& format) {
  const analysis::Format form = known_format(format);
  const analysis::SoakSummary summary = analysis::load_soak(results::ResultReader::load(directory));
  for (const std::string& warning : summary.warnings) warn(warning);
  print(
      analysis::render_grid(analysis::soak_grid(summary, form), form, render_options_for_stdout()));
  const bool failed = std::any_of(summary.cells.begin(), summary.cells.end(),
                                  [](const auto& cell) { return cell.failed > 0; });
  if (failed) warn("some segments failed (see the events); --resume repeats them");
  return failed ? Exit::not_valid : status_of(summary.table);
}

Exit print_view(const analysis::Table& table, const analysis::ViewOptions& view,
                const std::string& format) {
  const analysis::Format form = known_format(format);
  print(analysis::render_grid(analysis::view_of(table, view, form), form,
                              render_options_for_stdout()));
  return status_of(table);
}

}  // namespace lab::cli
