// lab recovery: an OSD fails and the cluster becomes whole again, over the cells of a matrix.
#include "runner/cli/commands.h"
#include "runner/cli/measure_options.h"
#include "runner/cli/output.h"
#include "runner/cli/recovery_options.h"

namespace lab::cli {

void add_recovery(CLI::App& app, Action& action, const CommandLine& arguments) {
  struct State {
    MeasureOptions measure;
    RecoveryOptions recovery;
    std::string job = "jobs/recovery.fio";
    bool no_load = false;
    std::string format = "table";
  };
  auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand(
      "recovery",
      "Let an OSD fail under load and follow the recovery: its time, the memory of every daemon "
      "before, during and after it, and what clients see, under every level of a matrix.");
  State& o = *state;
  CLI::Option* job =
      command
          ->add_option("JOB", o.job,
                       "fio job file of one step: the load, and how much data there is")
          ->capture_default_str();
  o.measure.declare(*command);
  command->add_option("--target", o.measure.request.target, "what fio loads: rbd or rbd-builtin")
      ->check(CLI::IsMember({"rbd", "rbd-builtin"}))
      ->capture_default_str();
  std::vector<std::string> stored = o.recovery.declare(*command);
  command->add_flag("--no-load", o.no_load, "without the job's load; its data are filled in");
  command->add_option("--format", o.format, "of the table on stdout")
      ->check(CLI::IsMember({"table", "markdown", "csv", "tsv", "tidy"}))
      ->capture_default_str();
  stored.insert(stored.end(), {"--target", "--no-load"});
  MeasureOptions::exclude_stored(*command, stored);
  command->callback([state, job, &action, arguments] {
    action = [state, arguments, named = job->count() > 0]() -> Exit {
      State& s = *state;
      s.measure.settle(arguments);
      s.measure.request.recovery = s.recovery.request();
      s.measure.request.recovery->load = !s.no_load;
      const std::optional<Measured> measured = s.measure.run(s.job, named);
      if (!measured) return Exit::ok;
      return print_recoveries(measured->directory, s.format);
    };
  });
}

}  // namespace lab::cli
