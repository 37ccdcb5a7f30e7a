#include "runner/fio/fio.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr std::chrono::milliseconds kTick{250};
constexpr seconds kStopGrace{10};
// Of one that was told to end: it writes back what its cache holds first.
constexpr seconds kEnoughGrace{120};
// As fio ends after a signal, whatever it has measured.
constexpr int kSignalled = 128;

}  // namespace

std::string fio_version() {
  Finished finished = run_command({.argv = {"fio", "--version"}}, seconds(10));
  if (finished.status != 0)
    throw environment_error("fio --version failed: {}", last_lines(finished.err, 3));
  return std::string(trim(finished.out));
}

void check_job_with_fio(const fs::path& job) {
  Finished finished = run_command({.argv = {"fio", "--parse-only", job.string()}}, seconds(30));
  // A section that fio drops for a bad option doesn't always change its status.
  std::string words = last_lines(finished.out + "\n" + finished.err, 6);
  if (finished.status != 0 || words.find("dropped") != std::string::npos)
    throw usage_error("{}: fio does not take this job: {}", job.string(), words);
}

FioOutcome run_fio(const FioRun& asked, const std::function<FioTick(pid_t)>& tick) {
  FioRun run = asked;
  // fio works in that directory, where a relative path would mean another place.
  run.directory = fs::absolute(run.directory);
  run.job = fs::absolute(run.job);
  Command command;
  command.argv = {"fio", "--output-format=json+",
                  "--output=" + (run.directory / "fio.json").string()};
  if (run.eta) {
    command.argv.insert(command.argv.end(),
                        {"--eta=always", "--eta-newline=1", "--eta-interval=500ms"});
    command.output = run.directory / "fio.eta";
  } else {
    command.argv.emplace_back("--eta=never");
  }
  command.argv.push_back(run.job.string());
  command.environment = run.environment;
  command.withhold = [&run](const std::string& name) { return run.without.contains(name); };
  command.directory = run.directory;
  command.error_output = run.directory / "fio.err";
  command.ends_with_lab = true;

  FioOutcome outcome;
  auto start = Clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Child fio = Child::start(command);
  std::optional<int> status;
  bool overdue = false;
  while (!(status = fio.wait(kTick))) {
    const FioTick want = tick(fio.pid());
    if (want == FioTick::enough) {
      status = fio.stop(kEnoughGrace);
      if (*status == kSignalled) status = 0;
      break;
    }
    if (want == FioTick::stop) outcome.stopped = true;
    if (run.expected_s > 0 && elapsed() > 3 * run.expected_s + 120) overdue = true;
    if (outcome.stopped || overdue) {
      status = fio.stop(kStopGrace);
      break;
    }
  }
  outcome.seconds = elapsed();
  outcome.status = *status;
  if (outcome.status != 0)
    outcome.error = fmt::format("fio {}: {}",
                                outcome.status > 128
                                    ? fmt::format("was killed by signal {}", outcome.status - 128)
                                    : fmt::format("ended with status {}", outcome.status),
                                last_lines(read_file(run.directory / "fio.err"), 6));
  if (overdue) {
    outcome.status = outcome.status == 0 ? 1 : outcome.status;
    outcome.error =
        fmt::format("fio had not ended after {:.0f} s ({:.0f} s were expected); stopped",
                    outcome.seconds, run.expected_s);
  }
  return outcome;
}

std::optional<LiveFigures> read_eta(const FioRun& run) {
  std::error_code absent;
  auto bytes = fs::file_size(run.directory / "fio.eta", absent);
  if (absent || bytes == 0) return {};
  std::string text = read_file(run.directory / "fio.eta");
  constexpr size_t kTail = 4096;
  return parse_eta(std::string_view(text).substr(text.size() - std::min(text.size(), kTail)));
}

}  // namespace lab
