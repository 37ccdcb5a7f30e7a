#include "runner/plan/applicability.h"

#include <algorithm>
#include <optional>
#include <set>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/hosts/find_library.h"
#include "runner/tuning/daemon_name.h"

namespace lab {
namespace {

// Another program may be linked otherwise.
bool has_own_program(const Cell& cell, const std::string& scope) {
  return std::any_of(cell.settings.begin(), cell.settings.end(), [&](const Setting& setting) {
    const auto* program = std::get_if<DaemonProgram>(&setting);
    return program && kind_of(program->scope) == kind_of(scope);
  });
}

std::string linked(const Cell& cell, const DaemonFacts& facts, const std::string& scope) {
  if (has_own_program(cell, scope)) return "";
  const auto found = facts.linked_allocator.find(kind_of(scope));
  return found == facts.linked_allocator.end() ? "" : found->second;
}

bool is_tcmalloc(const std::string& allocator) { return allocator.starts_with("tcmalloc"); }

// The allocator that reads a variable; empty if it is not one of theirs.
std::string reader_of(const std::string& variable) {
  if (variable.starts_with("TCMALLOC_")) return "tcmalloc";
  if (variable.starts_with("MIMALLOC_")) return "mimalloc";
  if (variable.ends_with("MALLOC_CONF")) return "jemalloc";
  if (variable.starts_with("MALLOC_") || variable == "GLIBC_TUNABLES") return "glibc";
  return "";
}

// The minimal tcmalloc reads the same variables.
bool reads(const std::string& allocator, const std::string& variable) {
  const std::string reader = reader_of(variable);
  return reader.empty() || allocator.starts_with(reader);
}

// What a cell's daemons of this scope run with; empty if it isn't known.
std::string allocator_in(const Cell& cell, const std::string& scope, const DaemonFacts& facts) {
  std::string allocator = linked(cell, facts, scope);
  for (const Setting& setting : cell.settings)
    if (const auto* choice = std::get_if<AllocatorChoice>(&setting))
      if (kind_of(choice->scope) == kind_of(scope) && choice->allocator != "as-linked")
        allocator = fs::path(choice->allocator).is_absolute() ? "" : choice->allocator;
  return allocator;
}

// Settings as the daemons will meet them: without those that can't act, and with names that mean
// the same made the same. Cells with equal ones are one.
struct Normal {
  std::vector<std::string> settings;
  std::vector<std::string> reasons;  // why something of it can't act
};

Normal normal(const Cell& cell, const DaemonFacts& facts) {
  Normal out;
  for (const Setting& setting : in_force(cell.settings)) {
    if (const auto* choice = std::get_if<AllocatorChoice>(&setting)) {
      const std::string own = linked(cell, facts, choice->scope);
      if (!own.empty() && hosts::library_name(choice->allocator) == own) {
        out.settings.push_back(describe(AllocatorChoice{choice->scope, "as-linked"}));
        out.reasons.push_back(
            fmt::format("{} is what {} is linked with", own, kind_of(choice->scope)));
        continue;
      }
    }
    if (const auto* environment = std::get_if<ProcessEnvironment>(&setting)) {
      ProcessEnvironment acting = *environment;
      const std::string allocator = allocator_in(cell, environment->scope, facts);
      for (const auto& [variable, value] : environment->variables) {
        if (allocator.empty() || reads(allocator, variable)) continue;
        acting.variables.erase(variable);
        out.reasons.push_back(fmt::format("{} is read by {} only, and {} runs with {}", variable,
                                          reader_of(variable), kind_of(environment->scope),
                                          allocator));
      }
      if (!acting.variables.empty()) out.settings.push_back(describe(acting));
      continue;
    }
    out.settings.push_back(describe(setting));
  }
  return out;
}

void refuse_without_effect(const Cell& cell, const DaemonFacts& facts) {
  for (const Setting& setting : cell.settings) {
    const auto* config = std::get_if<ConfigOptions>(&setting);
    if (!config || !config->options.contains("osd_memory_target")) continue;
    const std::string own = linked(cell, facts, "osd");
    if (!own.empty() && !is_tcmalloc(own))
      throw usage_error(
          "level {}: osd_memory_target has no effect on these OSDs: their caches are tuned by it "
          "in "
          "builds linked with tcmalloc only, and these are linked with {}",
          cell.name, own);
  }
}

}  // namespace

Applicable applicable_cells(const std::vector<Cell>& cells, const DaemonFacts& facts) {
  Applicable out;
  std::map<std::vector<std::string>, std::string> first_with;
  std::set<std::string> reasons;
  for (const Cell& cell : cells) {
    refuse_without_effect(cell, facts);
    const Normal acting = normal(cell, facts);
    // The control is meant to be the same.
    if (!cell.control_of.empty()) {
      out.cells.push_back(cell);
      continue;
    }
    const auto [same, is_new] = first_with.emplace(acting.settings, cell.name);
    if (is_new || acting.reasons.empty()) {
      out.cells.push_back(cell);
      continue;
    }
    const std::string reason = join(acting.reasons, "; ");
    reasons.insert(reason);
    out.left_out.push_back({cell.name, fmt::format("the same as {}: {}", same->second, reason)});
  }
  if (cells.size() > 1 && out.cells.size() < 2)
    throw usage_error(
        "nothing is left to compare: {}. Choose a level on which it acts, for example "
        "--matrix=allocator=tcmalloc,threadcache",
        join({reasons.begin(), reasons.end()}, "; "));
  return out;
}

}  // namespace lab
