// What befalls a cluster while a job runs on it.
#pragma once

#include <string>
#include <vector>

#include "results/mark.h"
#include "runner/base/file.h"
#include "runner/plan/job_file.h"

namespace lab {

class Incident {
 public:
  enum class Want {
    load,  // the job is to run
    rest,  // the job is to be ended; what follows is without it
    over,
  };

  virtual ~Incident() = default;

  // Makes the job as it needs it. Returns how long it will run in seconds, 0 for as long as it is
  // wanted.
  virtual double fit(JobFile& job) const = 0;
  // Is the next run, of this cell, one with the run before it? Then nothing is waited for between
  // the two, and no cache is dropped.
  virtual bool goes_on(const std::string& /*cell*/) const { return false; }
  // Right before the job starts. `folder`: of the run, for files of its own. Throws lab::Error
  // (Exit::environment) for what must not befall this cluster.
  virtual void begin(const fs::path& folder, const std::string& cell) = 0;
  // Goes on; called a few times a second. Throws lab::Error (Exit::environment).
  virtual Want step() = 0;
  // Everything is as before it, and recorded. After an error or an interrupt, too, and then
  // nothing is waited for that is not needed. Safe to call at any time, also twice.
  virtual void end() = 0;
  // What there is to be said of it after end().
  virtual std::vector<results::Mark> marks() const = 0;
  // Is this mark of a run what the incident was made for?
  virtual bool brings(const results::Mark& mark) const = 0;
};

}  // namespace lab
