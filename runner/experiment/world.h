// Everything outside of fio that a cell's settings change: brought about before its runs, proven
// in the processes that have it, and put back at the end.
#pragma once

#include <vector>

#include "results/run_record.h"
#include "runner/plan/matrix.h"

namespace lab {

// All functions throw lab::Error (Exit::environment) for what cannot be brought about.
class World {
 public:
  virtual ~World() = default;

  // Before a run of this cell. `unit`: number of the restart that it belongs to, 0: none. True
  // if daemons were started anew.
  virtual bool enter(const Cell& cell, unsigned unit) = 0;
  // What the running processes have of the cell's settings now.
  virtual std::vector<results::SettingProof> prove(const Cell& cell) = 0;
  // As it was found. Throws lab::Error (Exit::not_restored).
  virtual void restore() = 0;
};

// For cells that change nothing but the client and its job.
class UnchangedWorld : public World {
 public:
  bool enter(const Cell& /*cell*/, unsigned /*unit*/) override { return false; }
  std::vector<results::SettingProof> prove(const Cell& /*cell*/) override { return {}; }
  void restore() override {}
};

}  // namespace lab
