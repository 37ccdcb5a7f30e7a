// lab run: one job over the cells of a matrix, on one target.
#include <algorithm>

#include "runner/base/text.h"
#include "runner/cli/commands.h"
#include "runner/cli/measure_options.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

// `--target=nbd:URI` carries its address with it.
void split_target(RunRequest& request) {
  if (!request.target.starts_with("nbd:")) return;
  request.nbd_uri = request.target.substr(4);
  request.target = "nbd";
}

// --detect without --repeat goes no further.
constexpr int kMostDetecting = 40;

Exit run_and_print(const RunRequest& request, const RunOptions& options,
                   const std::string& format) {
  const std::optional<Measured> measured = run_command(request, options);
  if (!measured) return Exit::ok;
  const Exit status = print_table(measured->table, format);
  const bool failed = std::any_of(measured->table.rows.begin(), measured->table.rows.end(),
                                  [](const auto& row) { return row.repetitions_failed > 0; });
  if (!failed) return status;
  warn("some runs failed (see the marks); lab run --resume repeats them");
  return std::max(status, Exit::not_valid);
}

}  // namespace

void add_run(CLI::App& app, Action& action, const CommandLine& arguments) {
  struct State {
    MeasureOptions measure;
    std::vector<std::string> jobs;
    std::string runtime;
    std::string detect;
    std::string budget;
    std::string format = "table";
  };
  auto state = std::make_shared<State>();
  CLI::App* run = app.add_subcommand(
      "run", "Measure a fio job under every level of a matrix and show the w/r IOPS table");
  RunRequest& r = state->measure.request;
  run->add_option("JOB", state->jobs, "fio job files, each an experiment of its own");
  state->measure.declare(*run);
  run->get_option("--repeat")
      ->description(
          "repetitions of each cell; even numbers are mirrored pairs (default 4; with --detect the "
          "most, default 40)");
  run->add_option("--sweep", r.sweep,
                  "vary a fio option, crossed with the matrix: iodepth=1..256 (doubling), "
                  "rate_iops=100..500+100 (steps), bs=4k,64k,1m; may be repeated")
      ->allow_extra_args(false);
  run->add_flag("--aa", r.control,
                "also run the baseline under a second name: what lab itself calls different "
                "between the two is the floor for all other differences");
  run->add_option("--target", r.target,
                  "what fio loads: rbd (lab's engine), rbd-builtin (fio's own), block, nbd:URI")
      ->capture_default_str();
  run->add_option(
      "--detect", state->detect,
      "the smallest difference to be found, e.g. 5%: after 4 repetitions as a pilot, as "
      "many more as that takes (probability 80%)");
  run->add_option("--budget", state->budget,
                  "time for everything, e.g. 30m: runtime and repetitions are fitted into it, and "
                  "what they can show is said");
  run->add_option("--runtime", state->runtime, "instead of the job's runtime: 10, 30s, 5m");
  run->add_option("--format", state->format, "of the table on stdout")
      ->check(CLI::IsMember(analysis::format_names()))
      ->capture_default_str();
  run->add_option("--device", r.device, "of --target=block: a block device");
  run->add_option("--destroy-data-on", r.destroy_data,
                  "a device (or pool/image) whose content may be overwritten; may be repeated")
      ->allow_extra_args(false);
  run->add_flag("--allow-invalid", r.allow_invalid,
                "run a matrix that is known to compare nothing; all its figures are marked");
  MeasureOptions::exclude_stored(
      *run, {"--sweep", "--aa", "--target", "--detect", "--budget", "--runtime", "--device",
             "--destroy-data-on", "--allow-invalid"});
  run->get_option("--budget")->excludes("--repeat")->excludes("--detect");
  run->callback([state, &action, arguments, run] {
    const bool repeated = run->count("--repeat") > 0;
    action = [state, arguments, repeated]() -> Exit {
      RunRequest& request = state->measure.request;
      const RunOptions& options = state->measure.options;
      split_target(request);
      state->measure.settle(arguments);
      if (!state->runtime.empty()) request.runtime_s = seconds_of("--runtime", state->runtime);
      if (!state->budget.empty()) request.budget_s = seconds_of("--budget", state->budget);
      if (!state->detect.empty()) {
        request.detect = parse_percent(state->detect);
        if (!request.detect)
          throw usage_error("--detect: \"{}\" is no difference; write 5%", state->detect);
        if (!repeated) request.repeat = kMostDetecting;
      }
      if (state->jobs.empty() && !options.resume)
        throw usage_error(
            "lab run: which job? For example: lab run jobs/4k-randrw.fio "
            "--matrix=cache");
      if (state->jobs.empty()) return run_and_print(request, options, state->format);
      if (options.resume && state->jobs.size() > 1)
        throw usage_error("--resume goes on with one job at a time");
      Exit worst = Exit::ok;
      for (const std::string& job : state->jobs) {
        request.job = job;
        request.mark = new_mark();
        // What the job before has filled may be overwritten by this one.
        if (&job != &state->jobs[0] && !request.device.empty())
          request.destroy_data.push_back(request.device);
        worst = std::max(worst, run_and_print(request, options, state->format));
      }
      return worst;
    };
  });
}

}  // namespace lab::cli
