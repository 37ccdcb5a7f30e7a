// Units of systemd on this host, as the manager itself describes them over D-Bus: what it will do
// at the next start, in values and not in text to be parsed again.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/daemons/environment_file.h"

namespace lab::daemons {

struct Unit {
  struct File {
    std::string path;       // may be a pattern
    bool optional = false;  // may be missing
  };

  std::string name;           // "ceph-osd@0.service"
  std::string loaded;         // "loaded", "not-found", "masked", …
  std::string active;         // "active", "activating", "deactivating", "failed", "inactive"
  std::string result;         // of its last end: "success", "exit-code", "start-limit-hit", …
  pid_t pid = 0;              // of its main process; 0: none
  std::string invocation;     // of its last start; empty: none
  bool needs_reload = false;  // one of its files was changed since the manager read it
  std::vector<std::string> drop_ins;           // paths of those that the manager has read
  std::vector<std::string> environment;        // assignments
  std::vector<File> environment_files;         // in their order: the last assignment holds
  std::vector<std::string> unset_environment;  // names or assignments, taken away at last
  struct Start {
    std::vector<std::string> command;  // path, then arguments
    std::vector<std::string> flags;    // of what may stand before the path: "ignore-failure", …
  };
  std::vector<Start> starts;
};

// All functions throw lab::Error (Exit::environment) if the manager doesn't answer.

// Throws if systemd isn't what this host was booted with, or busctl is missing.
void check_systemd();
// Loads it, if it isn't.
Unit read_unit(const std::string& name);
// Names of those that are loaded, by shell patterns: {"ceph-osd@*.service"}.
std::vector<std::string> loaded_units(const std::vector<std::string>& patterns);

// What the manager answers to GetAll; `name` is the unit's.
Unit parse_unit(const std::string& name, const Json& answer);

// Drop-ins of the unit that the manager has not read: it notices a change of a file, but not a new
// one in a new directory. `directories` are those where units are looked for.
std::vector<fs::path> unread_drop_ins(const Unit& unit,
                                      const std::vector<std::string>& directories);
// Those of the manager.
std::vector<std::string> unit_directories();

// The environment of its next start: `managers`, which the manager gives all of its units, and
// what the unit's files say. Of `except` nothing is read. Throws for a file that is missing and not
// optional.
Environment next_environment(const Unit& unit, const Environment& managers,
                             const std::string& except);
Environment managers_environment();

}  // namespace lab::daemons
