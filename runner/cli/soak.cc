// lab soak: hours of load, and what the memory of every service does meanwhile.
#include <algorithm>

#include "runner/base/text.h"
#include "runner/cli/commands.h"
#include "runner/cli/measure_options.h"
#include "runner/cli/output.h"

namespace lab::cli {

void add_soak(CLI::App& app, Action& action, const CommandLine& arguments) {
  struct State {
    MeasureOptions measure;
    soak::Request soak;
    std::string job = "jobs/4k-mixed.fio";
    std::string segment = "5m";
    std::string format = "table";
  };
  auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand(
      "soak",
      "Load for hours: memory of every service over time, whether it grows, what clients get, and "
      "what happens meanwhile. Levels of a matrix come one after the other.");
  State& o = *state;
  CLI::Option* job =
      command->add_option("JOB", o.job, "fio job file: the load")->capture_default_str();
  o.measure.declare(*command);
  // One pass over the cells, each for as long as was asked.
  command->remove_option(command->get_option("--repeat"));
  command->add_option("--hours", o.soak.hours, "of load, for each cell; 0.5 is half an hour")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--segment", o.segment,
                   "the load is cut into segments of this length, one progress line each; what is "
                   "lost when lab or the machine goes down is the last of them")
      ->capture_default_str();
  command->add_option("--target", o.measure.request.target, "what fio loads: rbd or rbd-builtin")
      ->check(CLI::IsMember({"rbd", "rbd-builtin"}))
      ->capture_default_str();
  command->add_option("--format", o.format, "of the table on stdout")
      ->check(CLI::IsMember({"table", "markdown", "csv", "tsv"}))
      ->capture_default_str();
  MeasureOptions::exclude_stored(*command, {"--target", "--hours", "--segment"});
  command->callback([state, job, &action, arguments] {
    action = [state, arguments, named = job->count() > 0]() -> Exit {
      State& s = *state;
      s.measure.settle(arguments);
      s.soak.segment_s = std::min(seconds_of("--segment", s.segment), s.soak.hours * 3600);
      s.measure.request.soak = s.soak;
      s.measure.request.repeat = static_cast<int>(soak::segments(s.soak));
      const std::optional<Measured> measured = s.measure.run(s.job, named);
      if (!measured) return Exit::ok;
      return print_soak(measured->directory, s.format);
    };
  });
}

}  // namespace lab::cli
