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
      return print_table(analysis::load_table(results::ResultReader::load(state->directory)),
                         state->format);
    };
  });
}

}  // namespace lab::cli
