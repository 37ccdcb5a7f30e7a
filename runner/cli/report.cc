// lab report: the table of a result directory, made again from its raw files.
#include "analysis/render/renderer.h"
#include "analysis/table.h"
#include "results/reader.h"
#include "runner/cli/commands.h"
#include "runner/cli/terminal.h"

namespace lab::cli {

void add_report(CLI::App& app, Action& action) {
  struct State {
    std::string directory;
    std::string format = "table";
  };
  auto state = std::make_shared<State>();
  CLI::App* report = app.add_subcommand(
      "report",
      "The w/r IOPS table of a result directory; exit status 4 if one of its marks is invalid.");
  report->add_option("DIR", state->directory, "result directory")->required();
  report->add_option("--format", state->format, "of the table on stdout")
      ->check(CLI::IsMember(analysis::format_names()))
      ->capture_default_str();
  report->callback([state, &action] {
    action = [state] {
      analysis::Table table = analysis::load_table(results::ResultReader::load(state->directory));
      fmt::print("{}", analysis::make_renderer(*analysis::format_from_text(state->format),
                                               {stdout_width(), stdout_colours()})
                           ->render(table));
      return table.worst_mark() == results::Weight::invalid ? Exit::not_valid : Exit::ok;
    };
  });
}

}  // namespace lab::cli
