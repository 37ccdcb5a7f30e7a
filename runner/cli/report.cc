// lab report: the table of a result directory, made again from its raw files.
#include "analysis/table.h"
#include "results/reader.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {

void add_report(CLI::App& app, Action& action) {
  struct State {
    std::string directory;
    std::string format = "table";
    std::string view = "iops";
    std::string pivot;
  };
  auto state = std::make_shared<State>();
  CLI::App* report = app.add_subcommand(
      "report",
      "The w/r IOPS table of a result directory; exit status 4 if one of its marks is invalid.");
  report->add_option("DIR", state->directory, "result directory")->required();
  report->add_option("--format", state->format, "of the table on stdout")
      ->check(CLI::IsMember(analysis::format_names()))
      ->capture_default_str();
  report
      ->add_option("--table", state->view,
                   "which figures: iops; factors (each in a column of its own, and the version of "
                   "an allocator); latency (mean and p99); ratio (reads:writes, ops/s, mean and "
                   "p99 of each)")
      ->check(CLI::IsMember(analysis::view_names()))
      ->capture_default_str();
  report->add_option("--pivot", state->pivot, "a factor whose levels become columns");
  report->callback([state, &action] {
    action = [state] {
      const analysis::Table table =
          analysis::load_table(results::ResultReader::load(state->directory));
      const analysis::ViewOptions view{*analysis::view_from_text(state->view), state->pivot};
      if (view.view == analysis::View::iops && view.pivot.empty())
        return print_table(table, state->format);
      return print_view(table, view, state->format);
    };
  });
}

}  // namespace lab::cli
