// The cluster as the world of an experiment.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/experiment/world.h"
#include "runner/plan/applicability.h"
#include "runner/tuning/cluster_tuning.h"

namespace lab {

// What the daemons are before any change, as far as they are on this host.
DaemonFacts read_facts(ClusterTuning& tuning);

class TunedWorld : public World {
 public:
  // Reads what cells build on ({found}) as it is now, so nothing may be changed yet. Throws
  // lab::Error (Exit::usage) if a cell is for daemons that can't be started anew.
  TunedWorld(ClusterTuning& tuning, std::vector<Cell> cells);

  bool enter(const Cell& cell, unsigned unit) override;
  std::vector<results::SettingProof> prove(const Cell& cell) override;
  void restore() override { tuning_.restore(); }

 private:
  const std::vector<Setting>& settings_of(const Cell& cell) const {
    return settings_.at(cell.name);
  }

  ClusterTuning& tuning_;
  std::map<std::string, std::vector<Setting>> settings_;  // of cells, with the values found
  std::set<std::string> restarts_;                        // daemons that any cell starts anew
};

}  // namespace lab
