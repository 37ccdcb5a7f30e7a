#include "runner/tuning/surroundings.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/hosts/allocator.h"
#include "runner/tuning/daemon_name.h"

namespace lab {
namespace {

std::string found_preload(const Surroundings& surroundings, const std::string& daemon) {
  const auto environment = surroundings.environment(daemon);
  const auto found = environment.find("LD_PRELOAD");
  return found == environment.end() ? "" : found->second;
}

fs::path library_of(const std::string& allocator,
                    const std::function<fs::path(const std::string&)>& find_library) {
  return allocator == "as-linked" ? fs::path() : find_library(allocator);
}

// One setting's part of the knobs.
struct Adder {
  const Surroundings& surroundings;
  KnobValues& knobs;

  void operator()(const CacheMode&) const {}
  void operator()(const ClientOptions&) const {}
  void operator()(const JobOptions&) const {}
  void operator()(const ConfigOptions& s) const {
    for (const auto& [option, value] : s.options) knobs[{KnobKind::config, s.who, option}] = value;
  }
  void operator()(const ProcessEnvironment& s) const {
    if (s.scope == "client") return;
    for (const std::string& daemon : daemons_of_scope(s.scope, surroundings.daemons))
      for (const auto& [variable, value] : s.variables)
        knobs[{KnobKind::environment, daemon, variable}] = value;
  }
  void operator()(const AllocatorChoice& s) const {
    if (s.scope == "client") return;
    const fs::path library = library_of(s.allocator, surroundings.find_library);
    for (const std::string& daemon : daemons_of_scope(s.scope, surroundings.daemons))
      knobs[{KnobKind::environment, daemon, "LD_PRELOAD"}] =
          preload_with(found_preload(surroundings, daemon), library);
  }
  void operator()(const DaemonProgram& s) const {
    for (const std::string& daemon : daemons_of_scope(s.scope, surroundings.daemons))
      knobs[{KnobKind::program, daemon, ""}] = s.program;
  }
  void operator()(const KernelParameters& s) const {
    for (const auto& [name, value] : s.parameters) knobs[{KnobKind::sysctl, "", name}] = value;
  }
};

}  // namespace

const std::string* restarting_scope(const Setting& setting) {
  if (!always_restarts(setting)) return nullptr;
  if (const auto* environment = std::get_if<ProcessEnvironment>(&setting))
    return &environment->scope;
  if (const auto* allocator = std::get_if<AllocatorChoice>(&setting)) return &allocator->scope;
  return &std::get<DaemonProgram>(setting).scope;
}

KnobValue preload_with(const std::string& preload, const fs::path& library) {
  std::vector<std::string> kept;
  if (!library.empty()) kept.push_back(library.string());
  for (const std::string& entry : hosts::preload_entries(preload))
    if (!hosts::is_allocator_library(entry)) kept.push_back(entry);
  if (kept.empty()) return {};
  return join(kept, ":");
}

std::vector<std::string> daemons_of_scope(const std::string& scope,
                                          const std::vector<std::string>& daemons) {
  std::vector<std::string> meant;
  for (const std::string& daemon : daemons)
    if (in_scope(scope, daemon)) meant.push_back(daemon);
  if (!meant.empty()) return meant;
  throw usage_error(
      "a level is for {}, but there is no such daemon that lab can start anew{}", scope,
      daemons.empty() ? ": the inventory names none" : "; there are " + join(daemons, ", "));
}

KnobValues knobs_of(const std::vector<Setting>& settings, const Surroundings& surroundings) {
  KnobValues knobs;
  for (const Setting& setting : settings) std::visit(Adder{surroundings, knobs}, setting);
  return knobs;
}

OptionalValues client_environment(const std::vector<Setting>& settings, const std::string& preload,
                                  const std::function<fs::path(const std::string&)>& find_library) {
  OptionalValues environment;
  for (const Setting& setting : settings) {
    if (const auto* process = std::get_if<ProcessEnvironment>(&setting)) {
      if (process->scope != "client") continue;
      for (const auto& [variable, value] : process->variables) environment[variable] = value;
    } else if (const auto* allocator = std::get_if<AllocatorChoice>(&setting)) {
      if (allocator->scope != "client") continue;
      environment["LD_PRELOAD"] =
          preload_with(preload, library_of(allocator->allocator, find_library));
    }
  }
  return environment;
}

std::set<std::string> restarted_by(const std::vector<Setting>& settings,
                                   const std::vector<std::string>& daemons) {
  std::set<std::string> restarted;
  for (const Setting& setting : settings)
    if (const std::string* scope = restarting_scope(setting))
      for (const std::string& daemon : daemons_of_scope(*scope, daemons)) restarted.insert(daemon);
  return restarted;
}

}  // namespace lab
