// lab run: one job over the cells of a matrix, on one target.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "runner/base/text.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"
#include "runner/experiment/run_command.h"

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

double seconds(const char* option, const std::string& text) {
  const auto seconds = parse_seconds(text);
  if (!seconds || *seconds <= 0)
    throw usage_error("{}: \"{}\" is no time; write 10, 30s or 5m", option, text);
  return *seconds;
}

// CLI11 would take -1 for the largest number there is.
std::string whole_number(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return "";
  return fmt::format("\"{}\" is no whole number from 0 to {}", text, UINT64_MAX);
}

Exit run_and_print(const RunRequest& request, const RunOptions& options,
                   const std::string& format) {
  const std::optional<analysis::Table> table = run_command(request, options);
  if (!table) return Exit::ok;
  const Exit status = print_table(*table, format);
  const bool failed = std::any_of(table->rows.begin(), table->rows.end(),
                                  [](const auto& row) { return row.repetitions_failed > 0; });
  if (!failed) return status;
  warn("some runs failed (see the marks); lab run --resume repeats them");
  return std::max(status, Exit::not_valid);
}

}  // namespace

void add_run(CLI::App& app, Action& action, const CommandLine& arguments) {
  struct State {
    RunRequest request;
    RunOptions options;
    std::vector<std::string> jobs;
    std::string runtime;
    std::string detect;
    std::string budget;
    std::string warmup;
    std::string format = "table";
    bool seeded = false;
  };
  auto state = std::make_shared<State>();
  CLI::App* run = app.add_subcommand(
      "run", "Measure a fio job under every level of a matrix and show the w/r IOPS table");
  RunRequest& r = state->request;
  run->add_option("JOB", state->jobs, "fio job files, each an experiment of its own");
  run->add_option("--matrix", r.matrix,
                  "factors to vary, crossed: names of jobs/matrices/*.json or files, by comma; "
                  "without it the job runs with everything as it is");
  run->add_option("--sweep", r.sweep,
                  "vary a fio option, crossed with the matrix: iodepth=1..256 (doubling), "
                  "rate_iops=100..500+100 (steps), bs=4k,64k,1m; may be repeated")
      ->allow_extra_args(false);
  run->add_flag("--aa", r.control,
                "also run the baseline under a second name: what lab itself calls different "
                "between the two is the floor for all other differences");
  run->add_option("--inventory", r.inventory,
                  "the cluster, a JSON file; without it a sandbox on loopback");
  run->add_option("--target", r.target,
                  "what fio loads: rbd (lab's engine), rbd-builtin (fio's own), block, nbd:URI")
      ->capture_default_str();
  run->add_option("--repeat", r.repeat,
                  "repetitions of each cell; even numbers are mirrored pairs (default 4; with "
                  "--detect the most, default 40)")
      ->check(CLI::Range(1, 1000));
  run->add_option(
      "--detect", state->detect,
      "the smallest difference to be found, e.g. 5%: after 4 repetitions as a pilot, as "
      "many more as that takes (probability 80%)");
  run->add_option("--budget", state->budget,
                  "time for everything, e.g. 30m: runtime and repetitions are fitted into it, and "
                  "what they can show is said");
  run->add_option("--runtime", state->runtime, "instead of the job's runtime: 10, 30s, 5m");
  run->add_option("--warmup", state->warmup,
                  "of the job's load, unmeasured, each time that a level has started daemons anew "
                  "(default 10s; 0: none)");
  run->add_option("--out", state->options.out, "where result directories are made")
      ->capture_default_str();
  run->add_flag("--resume", state->options.resume,
                "go on with the newest unfinished result directory below --out (or with --out "
                "itself, if it is one), of JOB if it is given; finished runs are not repeated, and "
                "all other options are taken from there");
  run->add_flag("--dry-run", state->options.dry_run,
                "print cells, settings, order and duration; touch nothing");
  run->add_option("--seed", r.seed, "of the random order (default: a random one, kept)")
      ->check(whole_number)
      ->each([state](const std::string&) { state->seeded = true; });
  run->add_option("--format", state->format, "of the table on stdout")
      ->check(CLI::IsMember(analysis::format_names()))
      ->capture_default_str();
  run->add_option("--device", r.device, "of --target=block: a block device");
  run->add_option("--destroy-data-on", r.destroy_data,
                  "a device (or pool/image) whose content may be overwritten; may be repeated")
      ->allow_extra_args(false);
  run->add_flag("--allow-invalid", r.allow_invalid,
                "run a matrix that is known to compare nothing; all its figures are marked");
  run->add_option("--confirm-fsid", state->options.confirmed_fsid,
                  "of a cluster of class production, if levels change it or start daemons anew");
  run->add_flag("--keep-sandbox", state->options.keep_sandbox,
                "leave a sandbox running that was started for this run");
  run->add_option("--sandbox-dir", r.sandbox_dir, "directory of the sandbox");
  for (const char* stored : {"--matrix", "--inventory", "--sweep", "--aa", "--target", "--repeat",
                             "--detect", "--budget", "--runtime", "--warmup", "--seed", "--device",
                             "--destroy-data-on", "--allow-invalid"})
    run->get_option("--resume")->excludes(run->get_option(stored));
  run->get_option("--budget")->excludes("--repeat")->excludes("--detect");
  run->callback([state, &action, arguments, run] {
    const bool repeated = run->count("--repeat") > 0;
    action = [state, arguments, repeated]() -> Exit {
      RunRequest& request = state->request;
      split_target(request);
      if (!state->runtime.empty()) request.runtime_s = seconds("--runtime", state->runtime);
      if (!state->warmup.empty()) {
        const auto warmup = parse_seconds(state->warmup);
        if (!warmup || *warmup < 0)
          throw usage_error("--warmup: \"{}\" is no time; write 10, 30s or 0", state->warmup);
        request.warmup_s = *warmup;
      }
      if (!state->budget.empty()) request.budget_s = seconds("--budget", state->budget);
      if (!state->detect.empty()) {
        request.detect = parse_percent(state->detect);
        if (!request.detect)
          throw usage_error("--detect: \"{}\" is no difference; write 5%", state->detect);
        if (!repeated) request.repeat = kMostDetecting;
      }
      if (!state->seeded) request.seed = std::random_device{}();
      if (!request.inventory.empty()) request.inventory = fs::absolute(request.inventory);
      if (!request.sandbox_dir.empty()) request.sandbox_dir = fs::absolute(request.sandbox_dir);
      state->options.terminal = isatty(STDERR_FILENO) != 0;
      if (state->jobs.empty() && !state->options.resume)
        throw usage_error(
            "lab run: which job? For example: lab run jobs/4k-randrw.fio "
            "--matrix=cache");
      state->options.argv = {"lab"};
      for (const std::string& argument : arguments) state->options.argv.push_back(argument);
      if (state->jobs.empty()) return run_and_print(request, state->options, state->format);
      if (state->options.resume && state->jobs.size() > 1)
        throw usage_error("--resume goes on with one job at a time");
      Exit worst = Exit::ok;
      for (const std::string& job : state->jobs) {
        request.job = job;
        request.mark = fmt::format("{:x}-{:08x}", time(nullptr), std::random_device{}());
        // What the job before has filled may be overwritten by this one.
        if (&job != &state->jobs[0] && !request.device.empty())
          request.destroy_data.push_back(request.device);
        worst = std::max(worst, run_and_print(request, state->options, state->format));
      }
      return worst;
    };
  });
}

}  // namespace lab::cli
