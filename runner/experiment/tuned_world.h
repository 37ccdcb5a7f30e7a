// The cluster as the world of an experiment.
#pragma once

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
  // Throws lab::Error (Exit::usage) if a cell is for daemons that can't be started anew.
  TunedWorld(ClusterTuning& tuning, const std::vector<Cell>& cells);

  bool enter(const Cell& cell, unsigned unit) override;
  std::vector<results::SettingProof> prove(const Cell& cell) override;
  void restore() override { tuning_.restore(); }

 private:
  ClusterTuning& tuning_;
  std::set<std::string> restarts_;  // daemons that any cell starts anew
};

}  // namespace lab
