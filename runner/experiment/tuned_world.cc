#include "runner/experiment/tuned_world.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/ceph/option_help.h"
#include "runner/hosts/allocator.h"
#include "runner/tuning/daemon_name.h"
#include "runner/tuning/found_values.h"
#include "runner/tuning/proof.h"
#include "runner/tuning/running_options.h"

namespace lab {

namespace {

// What a cell changes that another doesn't, and that acts at the start of daemons only, has to be
// planned as such: the restart is then the sample.
void check_planned_restarts(ClusterTuning& tuning, const std::vector<Cell>& cells) {
  std::map<Knob, std::set<KnobValue>> values;
  std::map<Knob, size_t> cells_with;
  for (const Cell& cell : cells)
    for (const auto& [knob, value] : knobs_of(cell.settings, tuning.surroundings())) {
      values[knob].insert(value);
      ++cells_with[knob];
    }
  for (const Cell& cell : cells) {
    if (!cell.restart.empty()) continue;
    for (const auto& [knob, value] : knobs_of(cell.settings, tuning.surroundings())) {
      const bool varies = values[knob].size() > 1 || cells_with[knob] < cells.size();
      if (varies && !tuning.started_by({{knob, value}}).empty())
        throw usage_error(
            "level {}: {} acts only when daemons are started anew, and a restart is what a level "
            "is "
            "then applied to once: write \"restart\": true into the factor's file",
            cell.name, describe(knob));
    }
  }
}

using KnownOptions = std::map<std::string, ceph::OptionHelp>;

// Of all options that a cell sets.
KnownOptions read_known_options(ceph::Cluster& cluster, const std::vector<Cell>& cells) {
  KnownOptions known;
  for (const Cell& cell : cells)
    for (const Setting& setting : cell.settings) {
      const auto* config = std::get_if<ConfigOptions>(&setting);
      if (!config) continue;
      for (const auto& [option, value] : config->options) {
        if (known.contains(option)) continue;
        const std::optional<ceph::OptionHelp> help = ceph::read_option_help(cluster, option);
        if (!help)
          throw usage_error("level {}: the cluster knows no option {}; see `ceph config ls`",
                            cell.name, option);
        known.emplace(option, *help);
      }
    }
  return known;
}

// Values that the monitors would refuse, before anything is changed.
void check_values(const KnownOptions& known, const std::vector<Cell>& cells) {
  for (const Cell& cell : cells)
    for (const Setting& setting : cell.settings) {
      const auto* config = std::get_if<ConfigOptions>(&setting);
      if (!config) continue;
      for (const auto& [option, value] : config->options) {
        if (!value) continue;
        if (const auto mistake = ceph::option_mistake(known.at(option), *value))
          throw usage_error("level {}: {}: {}", cell.name, option, *mistake);
      }
    }
}

// Whom a setting is for among daemons that have to be started anew for it.
bool starts_anew(ClusterTuning& tuning, const Setting& setting, const std::string& daemon) {
  if (const std::string* scope = restarting_scope(setting)) return in_scope(*scope, daemon);
  const auto* config = std::get_if<ConfigOptions>(&setting);
  if (!config || !reaches(config->who, daemon)) return false;
  for (const auto& [option, value] : config->options)
    if (!tuning.acts_at_runtime(option)) return true;
  return false;
}

// A level that is in force on the daemons of one host only would be measured as one of all.
void check_within_reach(ClusterTuning& tuning, const std::vector<Cell>& cells) {
  if (!tuning.driver()) return;
  std::vector<std::string> beyond = known_daemons(tuning.cluster());
  for (const std::string& gateway : known_gateways(tuning.cluster())) beyond.push_back(gateway);
  const std::vector<std::string> here = tuning.daemons();
  std::erase_if(beyond, [&](const std::string& daemon) {
    return std::find(here.begin(), here.end(), daemon) != here.end();
  });
  for (const Cell& cell : cells)
    for (const Setting& setting : cell.settings) {
      std::vector<std::string> meant;
      for (const std::string& daemon : beyond)
        if (starts_anew(tuning, setting, daemon)) meant.push_back(daemon);
      if (!meant.empty())
        throw environment_error(
            "level {}: {} is also for {}, which lab cannot start anew: there is no unit for them "
            "on this host. Write the level for the daemons that are here (\"osd.0\"), or run lab "
            "where "
            "all of them are: it would be in force on a part of the daemons only",
            cell.name, describe(setting), first_few(meant, 5));
    }
}

}  // namespace

DaemonFacts read_facts(ClusterTuning& tuning) {
  DaemonFacts facts;
  if (!tuning.driver()) return facts;
  for (const std::string& daemon : tuning.daemons()) {
    const std::string kind = kind_of(daemon);
    if (facts.linked_allocator.contains(kind)) continue;
    const std::string linked =
        hosts::linked_allocator(daemons::program_path(tuning.driver()->program(daemon)));
    if (!linked.empty()) facts.linked_allocator[kind] = linked;
  }
  return facts;
}

TunedWorld::TunedWorld(ClusterTuning& tuning, std::vector<Cell> cells) : tuning_(tuning) {
  const KnownOptions known = read_known_options(tuning.cluster(), cells);
  RunningOptions running(tuning.cluster(), tuning.driver());
  for (Cell& cell : cells) {
    cell.settings = with_found_values(cell.settings, found_options(running));
    settings_[cell.name] = cell.settings;
  }
  check_values(known, cells);
  check_planned_restarts(tuning, cells);
  check_within_reach(tuning, cells);
  for (const Cell& cell : cells) {
    // Whatever it is for, and all that it needs, must be there before anything is changed.
    restarts_.merge(restarted_by(cell.settings, tuning.daemons()));
    restarts_.merge(tuning.started_by(knobs_of(cell.settings, tuning.surroundings())));
  }
  for (const std::string& daemon : restarts_) tuning.driver()->check_settled(daemon);
}

bool TunedWorld::enter(const Cell& cell, unsigned unit) {
  return tuning_.enter(settings_of(cell), unit, restarts_);
}

std::vector<results::SettingProof> TunedWorld::prove(const Cell& cell) {
  return prove_settings(settings_of(cell), tuning_.cluster(), tuning_.driver());
}

}  // namespace lab
