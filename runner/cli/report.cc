// lab report: the table of a result directory, made again from its raw files; or all there
// is to know of it as one HTML file.
#include <cstdio>

#include "analysis/html/write_html.h"
#include "analysis/table.h"
#include "results/reader.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

Exit write_report(const fs::path& directory, const fs::path& file, const std::string& pivot) {
  std::error_code ignored;
  if (fs::equivalent(file.has_parent_path() ? file.parent_path() : ".", directory, ignored) &&
      file.extension() != ".html")
    throw usage_error(
        "--html={}: would stand among the data of the measurement; end its name in .html",
        file.string());
  const analysis::WrittenHtml written = analysis::write_html(directory, file, pivot);
  for (const std::string& warning : written.warnings) warn(warning);
  fmt::print("{}\n", file.string());
  return written.table.worst_mark() == results::Weight::invalid ? Exit::not_valid : Exit::ok;
}

// The others have the job's own figures, whatever befell the cluster.
bool has_grid_form(const std::string& format) {
  return analysis::has_grid_form(*analysis::format_from_text(format));
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  struct State {
    std::string directory;
    std::string format = "table";
    std::string view;  // empty: that of what was measured
    std::string pivot;
    std::string html;
  };
  auto state = std::make_shared<State>();
  CLI::App* report = app.add_subcommand(
      "report",
      "The w/r IOPS table of a result directory; exit status 4 if one of its marks is invalid.");
  report->add_option("DIR", state->directory, "result directory")->required();
  std::vector<std::string> views = analysis::view_names();
  views.insert(views.end(), {"recovery", "soak"});
  CLI::Option* format = report->add_option("--format", state->format, "of the table on stdout")
                            ->check(CLI::IsMember(analysis::format_names()))
                            ->capture_default_str();
  CLI::Option* view =
      report
          ->add_option(
              "--table", state->view,
              "which figures (default: recovery or soak of such, else iops): iops; factors "
              "(each in a column of its own, and the version "
              "of an allocator); latency (mean and p99); ratio (reads:writes, ops/s, mean "
              "and p99 of each); recovery (of lab recovery: time and memory); soak (of "
              "lab soak: memory of every service over hours)")
          ->check(CLI::IsMember(views));
  report->add_option("--pivot", state->pivot, "a factor whose levels become columns");
  // A flag, so that its value can only follow a "=": the DIR after it is no file name.
  CLI::Option* html =
      report
          ->add_flag("--html", state->html,
                     "write everything into one HTML file instead, with all tables that "
                     "apply, --html=FILE or DIR/report.html, and print its path")
          ->excludes(format)
          ->excludes(view);
  report->callback([state, html, &action] {
    // CLI11 gives a flag without a value this one.
    const bool named = state->html != "true";
    action = [state, asked = html->count() > 0, named] {
      const fs::path directory = state->directory;
      if (!asked) {
        const std::string shown =
            state->view.empty() && state->pivot.empty() && has_grid_form(state->format)
                ? results::ResultReader::load(directory).manifest().procedure
                : state->view;
        if (shown == "recovery") return print_recoveries(directory, state->format);
        if (shown == "soak") return print_soak(directory, state->format);
      }
      if (asked)
        return write_report(directory, named ? fs::path(state->html) : directory / "report.html",
                            state->pivot);
      const analysis::Table table = analysis::load_table(results::ResultReader::load(directory));
      const analysis::ViewOptions shown{
          *analysis::view_from_text(state->view.empty() ? "iops" : state->view), state->pivot};
      if (shown.view == analysis::View::iops && shown.pivot.empty())
        return print_table(table, state->format);
      return print_view(table, shown, state->format);
    };
  });
}

}  // namespace lab::cli
