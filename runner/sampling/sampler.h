// Memory and CPU of daemons over time, in results/samples.h's format: once a second from
// /proc, and what the daemons tell of themselves every five seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/mark.h"
#include "runner/base/file.h"
#include "runner/base/process.h"
#include "runner/base/time.h"

namespace lab::daemons {
class Driver;
}

namespace lab::sampling {

class Source;

// A process whose memory is followed.
struct Subject {
  std::string name;  // "osd.0": no comma, quote or line end
  // Its process now; none: it doesn't run. Called by a thread of the sampler's own, and again
  // when the process has ended, at most once a second. May throw lab::Error: not found then.
  std::function<std::optional<ProcessId>()> find;
  fs::path admin_socket;  // of a Ceph daemon on this host; empty: none
  std::string metrics;    // URL of its Prometheus endpoint; empty: none
};

// What was written, and what was missed.
struct Account {
  uint64_t looks = 0;         // turns of the clock that were kept
  uint64_t looks_missed = 0;  // turns that were not, since the sampler was late
  // By daemon: readings that were made, each a look, a close look or an answer of the daemon,
  // and those that were not: no process, or no answer in time.
  std::map<std::string, uint64_t> samples;
  std::map<std::string, uint64_t> missed;
  uint64_t lines_lost = 0;              // of the file: could not be written
  double cpu_s = 0;                     // CPU time that the sampler's own threads took
  std::vector<std::string> complaints;  // what went wrong, each once
};

struct Settings {
  std::chrono::milliseconds period{1000};     // of looks
  std::chrono::milliseconds questions{5000};  // of questions to the daemons
  std::chrono::milliseconds patience{2000};   // for an answer
  std::function<TimePoint()> wall =
      std::chrono::system_clock::now;  // is written, never reckoned with
};

class Sampler {
 public:
  // `file` gets the lines of results/samples.h; its time begins with start(). Throws lab::Error
  // (Exit::environment) if the file is there already or cannot be made. What fails later is
  // counted, and ends nothing.
  Sampler(std::vector<Subject> subjects, const fs::path& file, Settings settings = {});
  // The same, for processes that are looked at elsewhere: `source` has the subjects in this order,
  // and their 'find' is not used.
  Sampler(std::vector<Subject> subjects, std::unique_ptr<Source> source, const fs::path& file,
          Settings settings = {});
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler();  // stops

  // Looks for all processes, sets their peaks back, takes a close look, and begins, in threads of
  // its own. Once.
  void start(const std::string& phase);

  // A boundary between phases: a close look is taken, the peaks of the old phase are written and
  // set back, and what follows is in the new phase. Returns when that is done: some 10 ms for
  // each GiB that the daemons have, since page tables are walked. Looks go on meanwhile.
  void enter(const std::string& phase);

  // The last boundary. All is on disk when it returns. Again: the same account.
  Account stop();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

// What is to be said of a run whose daemons were not looked at as often as planned; none: nothing.
std::optional<results::Mark> missed_looks(const Account& account);

// The daemons that a driver has (runner/daemons/driver.h), through a driver of their own: `driver`
// may be used meanwhile.
std::vector<Subject> subjects_of(daemons::Driver& driver);

}  // namespace lab::sampling
