// What fio loads. A target makes its data ready, points the job at itself, and proves
// afterwards that the settings of a cell were in effect.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/manifest.h"
#include "results/run_record.h"
#include "runner/fio/eta.h"
#include "runner/plan/job_file.h"
#include "runner/plan/matrix.h"
#include "runner/witness/client_account.h"

namespace lab {

// What fio gets for one run.
struct FioInput {
  JobFile job;
  std::map<std::string, std::string> environment;
  bool eta = false;  // no live counters here: let fio print its own
};

// How a run begins.
enum class Start {
  fresh,     // quiet, with empty caches where they can be dropped: the same for all
  going_on,  // as the run before it has left things
};

// Called while data is prepared: a phase, and how much of it is done (0…1).
using PrepareProgress = std::function<void(const std::string& what, double done)>;

// All functions throw lab::Error: Exit::usage for what the user asked and can't have,
// Exit::environment for what is wrong with the cluster or host.
class Target {
 public:
  virtual ~Target() = default;

  // Looks at everything that could be wrong, and takes hold of what is to be loaded: makes
  // its image, claims its device. Quick, and undone by finish().
  virtual void claim(const JobFile& job) = 0;

  // Writes what reads will find, and proves that it is all there.
  virtual void prepare(const PrepareProgress& progress) = 0;
  // After prepare: sizes, replicas, versions, for the header of every table.
  virtual results::TextList conditions() = 0;
  virtual std::vector<results::OsdRecord> osds() { return {}; }
  virtual std::string fsid() const { return ""; }

  // Before a run. A fresh start waits until nothing else is going on (`say` is told for what), and
  // is the same for every run; what could not be had stands in the marks.
  virtual std::vector<results::Mark> settle(const std::function<void(const std::string&)>& /*say*/,
                                            Start /*start*/) {
    return {};
  }
  // Right after a run: whether something went on beside it, `client` being what fio says it did.
  virtual std::vector<results::Mark> after_run(const witness::ClientAccount& /*client*/) {
    return {};
  }

  // After after_run(): the processes that served the run, where lab can look into them.
  virtual std::vector<results::OsdProcess> osd_processes() { return {}; }

  // Points the job (already scaled, with job overrides applied) at the target.
  virtual FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) = 0;
  // Called a few times a second while fio runs.
  virtual void observe(pid_t /*fio*/) {}
  // Figures of this moment, where the target has a better source than fio's own line.
  virtual std::optional<LiveFigures> live() { return {}; }
  // After the run: what the process that did the I/O really used, of the client's settings.
  virtual std::vector<results::SettingProof> verify(const Cell& /*cell*/,
                                                    const fs::path& /*run_directory*/) {
    return {};
  }

  // Removes what was made, lets go of what was claimed. Safe to call at any time, also twice.
  virtual void finish() = 0;
};

}  // namespace lab
