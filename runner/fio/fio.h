// The program fio as lab runs it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "runner/base/process.h"
#include "runner/fio/eta.h"

namespace lab {

// `fio-3.33`. Throws lab::Error (Exit::environment) if fio isn't installed.
std::string fio_version();

// Lets fio itself read the job file. Throws lab::Error (Exit::usage) with fio's own words.
void check_job_with_fio(const fs::path& job);

struct FioRun {
  fs::path job;
  fs::path directory;  // working directory; fio.json, fio.err (and fio.eta) are left there
  std::map<std::string, std::string> environment;  // added to lab's own
  std::set<std::string> without;                   // variables of lab's own that fio doesn't get
  double expected_s = 0;                           // 0: unknown, `tick` ends it
  bool eta = false;                                // let fio print its own live figures
};

// What is to become of a running fio.
enum class FioTick {
  go_on,
  enough,  // it is ended and tells what it has measured: no failure
  stop,    // nothing of it is needed any more
};

struct FioOutcome {
  int status = 0;
  bool stopped = false;  // by FioTick::stop
  double seconds = 0;
  std::string error;  // the reason in fio's own words, if status is not 0
};

// Runs fio to its end, or until `tick` ends it, which is called about four times a second with
// fio's pid. A fio that has no end (three times the expected time and two minutes more) is
// killed, which is an error of the outcome.
FioOutcome run_fio(const FioRun& run, const std::function<FioTick(pid_t)>& tick);

// Live figures of a run with `eta`.
std::optional<LiveFigures> read_eta(const FioRun& run);

}  // namespace lab
