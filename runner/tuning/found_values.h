// Levels that build on what was found: `"rgw_frontends": "{found} tcp_nodelay=1"` adds to the
// value that is in force before any change, which may be another one in each daemon.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/tuning/running_options.h"
#include "runner/tuning/setting.h"

namespace lab {

struct FoundOptions {
  // Daemons that a place of the configuration means; throws lab::Error if there is one that can't
  // be asked.
  std::function<std::vector<std::string>(const std::string& who)> daemons;
  // What is in force in one of them.
  std::function<std::string(const std::string& daemon, const std::string& option)> value;
};

// Of the running daemons as they are now: to be asked before anything is changed.
FoundOptions found_options(RunningOptions& running);

// The settings that are in force, with each value that builds on what was found in a setting of
// its own for each daemon: "osd/class:ssd" becomes "osd.0/class:ssd" and so on. Throws lab::Error
// (Exit::usage) for a place without a daemon, and what `found` throws.
std::vector<Setting> with_found_values(const std::vector<Setting>& settings,
                                       const FoundOptions& found);

}  // namespace lab
