#include "runner/cli/measure_options.h"

#include <unistd.h>

#include <charconv>
#include <random>

#include "runner/base/text.h"

namespace lab::cli {
namespace {

// CLI11 would take -1 for the largest number there is.
std::string whole_number(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return "";
  return fmt::format("\"{}\" is no whole number from 0 to {}", text, UINT64_MAX);
}

}  // namespace

double seconds_of(const char* option, const std::string& text) {
  const auto seconds = parse_seconds(text);
  if (!seconds || *seconds <= 0)
    throw usage_error("{}: \"{}\" is no time; write 10, 30s or 5m", option, text);
  return *seconds;
}

double seconds_or_zero(const char* option, const std::string& text) {
  const auto seconds = parse_seconds(text);
  if (!seconds || *seconds < 0)
    throw usage_error("{}: \"{}\" is no time; write 10, 30s or 0", option, text);
  return *seconds;
}

std::string new_mark() { return fmt::format("{:x}-{:08x}", time(nullptr), std::random_device{}()); }

void MeasureOptions::declare(CLI::App& app) {
  RunRequest& r = request;
  app.add_option("--matrix", r.matrix,
                 "factors to vary, crossed: names of jobs/matrices/*.json or files, by comma; "
                 "without it everything stays as it is");
  app.add_option("--inventory", r.inventory,
                 "the cluster, a JSON file; without it a sandbox on loopback");
  app.add_option("--repeat", r.repeat,
                 "repetitions of each cell (default 4); even numbers are mirrored pairs")
      ->check(CLI::Range(1, 1000));
  app.add_option("--warmup", warmup,
                 "of the job's load, unmeasured, each time that a level has started daemons anew "
                 "(default 10s; 0: none)");
  app.add_option("--out", options.out, "where result directories are made")->capture_default_str();
  app.add_flag("--resume", options.resume,
               "go on with the newest unfinished result directory below --out (or with --out "
               "itself, if it is one), of JOB if it is given; finished runs are not repeated, and "
               "all other options are taken from there");
  app.add_flag("--dry-run", options.dry_run,
               "print cells, settings, order and duration; touch nothing");
  app.add_option("--seed", r.seed, "of the random order (default: a random one, kept)")
      ->check(whole_number)
      ->each([this](const std::string&) { seeded = true; });
  app.add_option("--confirm-fsid", options.confirmed_fsid,
                 "of a cluster of class production that is changed, or whose daemons are started "
                 "anew");
  app.add_flag("--keep-sandbox", options.keep_sandbox,
               "leave a sandbox running that was started for this");
  app.add_option("--sandbox-dir", r.sandbox_dir, "directory of the sandbox");
}

void MeasureOptions::exclude_stored(CLI::App& app, const std::vector<std::string>& stored) {
  for (const char* name : {"--matrix", "--inventory", "--repeat", "--warmup", "--seed"})
    if (CLI::Option* option = app.get_option_no_throw(name))
      app.get_option("--resume")->excludes(option);
  for (const std::string& name : stored) app.get_option("--resume")->excludes(app.get_option(name));
}

void MeasureOptions::settle(const CommandLine& arguments) {
  if (!warmup.empty()) request.warmup_s = seconds_or_zero("--warmup", warmup);
  if (!seeded) request.seed = std::random_device{}();
  if (!request.inventory.empty()) request.inventory = fs::absolute(request.inventory);
  if (!request.sandbox_dir.empty()) request.sandbox_dir = fs::absolute(request.sandbox_dir);
  options.terminal = isatty(STDERR_FILENO) != 0;
  options.argv = {"lab"};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
}

std::optional<Measured> MeasureOptions::run(const fs::path& job, bool named) {
  // With --resume only a job that was named narrows the search.
  if (named || !options.resume) request.job = job;
  request.mark = new_mark();
  return run_command(request, options);
}

}  // namespace lab::cli
