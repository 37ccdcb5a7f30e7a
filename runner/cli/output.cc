#include "runner/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

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

namespace {

analysis::Format known_format(const std::string& format) {
  auto known = analysis::format_from_text(format);
  if (!known)
    throw usage_error("--format={}: unknown; one of {}", format,
                      join(analysis::format_names(), ", "));
  return *known;
}

Exit print(const analysis::Table& table, const std::string& text) {
  if (fwrite(text.data(), 1, text.size(), stdout) != text.size() || fflush(stdout) != 0)
    throw environment_error("cannot write the table to stdout");
  return table.worst_mark() == results::Weight::invalid ? Exit::not_valid : Exit::ok;
}

}  // namespace

Exit print_view(const analysis::Table& table, const analysis::ViewOptions& view,
                const std::string& format) {
  const analysis::Format form = known_format(format);
  return print(table, analysis::render_grid(analysis::view_of(table, view, form), form,
                                            render_options_for_stdout()));
}

Exit print_table(const analysis::Table& table, const std::string& format) {
  return print(
      table,
      analysis::make_renderer(known_format(format), render_options_for_stdout())->render(table));
}

}  // namespace lab::cli
