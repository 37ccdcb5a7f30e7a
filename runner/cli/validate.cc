// lab validate: may this change be rolled out? The staged procedure in one command.
#include "runner/rollout/validate.h"

#include "analysis/render/decision.h"
#include "runner/cli/commands.h"
#include "runner/cli/measure_options.h"
#include "runner/cli/output.h"
#include "runner/cli/recovery_options.h"

namespace lab::cli {
namespace {

struct State {
  MeasureOptions measure;
  rollout::ValidateRequest request;
  RecoveryOptions recovery;
  std::string runtime;
  std::string format = "table";
};

Exit validate_and_print(State& s, const CommandLine& arguments, bool repeated) {
  s.measure.settle(arguments);
  rollout::ValidateRequest& request = s.request;
  if (!s.measure.options.resume && request.to.empty())
    throw usage_error("lab validate: to which level? --to=LEVEL of the factor");
  request.recovery = s.recovery.request();
  request.common = s.measure.request;
  request.common.mark = new_mark();
  if (!s.runtime.empty()) request.common.runtime_s = seconds_of("--runtime", s.runtime);
  if (repeated) request.repeat = s.measure.request.repeat;
  const std::optional<rollout::Validation> validation =
      rollout::validate(request, s.measure.options);
  if (!validation) return Exit::ok;
  print(analysis::render_decision(validation->decision, s.format, render_options_for_stdout()));
  warn("report: " + (validation->directory / "report.md").string());
  if (!validation->decision.valid()) return Exit::not_valid;
  return validation->decision.go() ? Exit::ok : Exit::no_go;
}

void declare(CLI::App& command, const std::shared_ptr<State>& state) {
  State& s = *state;
  rollout::ValidateRequest& r = s.request;
  s.measure.declare(command);
  command.get_option("--repeat")
      ->description(
          "repetitions of each level on volumes (default 8); even numbers are mirrored pairs");
  command.add_option("--from", r.from, "the old level (default: the factor's baseline)");
  command.add_option("--to", r.to, "the new level");
  command.add_option("--policy", r.policy, "name of one of jobs/policies/*.json, or a file")
      ->capture_default_str();
  command.add_option("--job", r.job, "fio job file of the volumes")->capture_default_str();
  command.add_option("--recovery-job", r.recovery_job, "fio job file: the load of the recoveries")
      ->capture_default_str();
  command
      .add_option("--recovery-repeat", r.recovery_repeat,
                  "recoveries of each level; even numbers are mirrored pairs")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  std::vector<std::string> stored = s.recovery.declare(command);
  command.add_option("--canary", r.canary, "the OSD that gets the new level first")
      ->capture_default_str();
  command.add_option("--runtime", s.runtime,
                     "of the volumes' job, instead of its own: 10, 30s, 5m");
  command.add_option("--format", s.format, "of the decision on stdout")
      ->check(CLI::IsMember(analysis::decision_format_names()))
      ->capture_default_str();
  stored.insert(stored.end(), {"--from", "--to", "--policy", "--job", "--recovery-job",
                               "--recovery-repeat", "--canary", "--runtime"});
  MeasureOptions::exclude_stored(command, stored);
}

std::shared_ptr<State> new_state(const std::string& policy) {
  auto state = std::make_shared<State>();
  state->request.policy = policy;
  state->request.job = "jobs/4k-randrw.fio";
  state->request.recovery_job = "jobs/recovery.fio";
  return state;
}

}  // namespace

void add_validate(CLI::App& app, Action& action, const CommandLine& arguments) {
  CLI::App* validate = app.add_subcommand(
      "validate",
      "May this change be rolled out? One OSD first, then volumes and recoveries, old and new "
      "alternating; go or no-go by a policy, and the commands that make it permanent. Everything "
      "is "
      "put back. Exit status 0 go, 1 no-go, 4 not valid (docs/rollout.md).");
  validate->require_subcommand(1);

  auto allocator = new_state("allocator");
  CLI::App* of_allocator = validate->add_subcommand(
      "allocator", "Another malloc under the OSDs: --from=glibc --to=jemalloc");
  declare(*of_allocator, allocator);
  of_allocator->remove_option(of_allocator->get_option("--matrix"));
  of_allocator->callback([allocator, of_allocator, &action, arguments] {
    action = [=, repeated = of_allocator->count("--repeat") > 0] {
      allocator->request.factor = "allocator";
      return validate_and_print(*allocator, arguments, repeated);
    };
  });

  auto config = new_state("allocator");
  CLI::App* of_config =
      validate->add_subcommand("config", "Any other factor: --matrix=FACTOR --to=LEVEL");
  declare(*of_config, config);
  of_config->get_option("--matrix")
      ->description("the factor: a name of jobs/matrices/*.json, or a file");
  of_config->callback([config, of_config, &action, arguments] {
    action = [=, repeated = of_config->count("--repeat") > 0] {
      config->request.factor = config->measure.request.matrix;
      if (config->request.factor.empty() && !config->measure.options.resume)
        throw usage_error("lab validate config: which factor? --matrix=FACTOR");
      return validate_and_print(*config, arguments, repeated);
    };
  });
}

}  // namespace lab::cli
