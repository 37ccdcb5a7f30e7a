#include "runner/experiment/tuned_world.h"

#include "runner/tuning/proof.h"

namespace lab {

TunedWorld::TunedWorld(ClusterTuning& tuning, const std::vector<Cell>& cells) : tuning_(tuning) {
  const std::vector<std::string> daemons = tuning.daemons();
  for (const Cell& cell : cells) {
    const std::set<std::string> restarted = restarted_by(cell.settings, daemons);
    restarts_.insert(restarted.begin(), restarted.end());
    // Whatever it is for must be there before anything is changed.
    knobs_of(cell.settings, tuning.surroundings());
    client_environment(cell);
  }
}

bool TunedWorld::enter(const Cell& cell, unsigned unit) {
  return tuning_.enter(cell.settings, unit, restarts_);
}

std::vector<results::SettingProof> TunedWorld::prove(const Cell& cell) {
  return prove_settings(cell.settings, tuning_.cluster(), tuning_.driver());
}

std::map<std::string, std::string> TunedWorld::client_environment(const Cell& cell) {
  return lab::client_environment(cell.settings, tuning_.surroundings().find_library);
}

}  // namespace lab
