// From settings to knobs: which values in the world make a level what it says.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/base/file.h"
#include "runner/tuning/knob.h"
#include "runner/tuning/setting.h"

namespace lab {

// What a setting meets: the daemons that can be started anew, their environment before any
// change, and where an allocator's library is (it throws lab::Error naming the package if it is
// not there).
struct Surroundings {
  std::vector<std::string> daemons;
  std::function<std::map<std::string, std::string>(const std::string& daemon)> environment;
  std::function<fs::path(const std::string& allocator)> find_library;
};

// Of the settings that change the world; later ones go before earlier ones. Throws lab::Error
// (Exit::usage) for a scope without a daemon.
KnobValues knobs_of(const std::vector<Setting>& settings, const Surroundings& surroundings);

// What the process that does the I/O gets in its environment, or is started without. `preload`:
// LD_PRELOAD as lab has it itself.
OptionalValues client_environment(const std::vector<Setting>& settings, const std::string& preload,
                                  const std::function<fs::path(const std::string&)>& find_library);

// Daemons that a scope means: "osd" all OSDs, "osd.3" that one.
std::vector<std::string> daemons_of_scope(const std::string& scope,
                                          const std::vector<std::string>& daemons);

// Whose daemons a setting starts anew whatever its value is; null if none.
const std::string* restarting_scope(const Setting& setting);

// Daemons that these settings start anew whatever the values are.
std::set<std::string> restarted_by(const std::vector<Setting>& settings,
                                   const std::vector<std::string>& daemons);

// LD_PRELOAD with this allocator first and without others; empty library: none at all. What is
// no allocator stays. None if nothing is left.
KnobValue preload_with(const std::string& preload, const fs::path& library);

}  // namespace lab
