// The looks at the host that fio runs on, right before a run and right after, and at fio's threads
// in between.
#pragma once

#include <sys/types.h>

#include <vector>

#include "results/mark.h"
#include "runner/witness/host_sight.h"
#include "runner/witness/thread_watch.h"

namespace lab::witness {

class HostWitness {
 public:
  HostWitness() : before_(look_at_host()) {}
  // Called a few times a second while fio runs.
  void observe(pid_t fio) { threads_.observe(fio); }
  // Right after fio has ended: what was seen, as marks.
  std::vector<results::Mark> end() const;

 private:
  HostSight before_;
  ThreadWatch threads_;
};

}  // namespace lab::witness
