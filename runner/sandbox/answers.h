// What the cluster's answers say of single daemons.
#pragma once

#include <sys/types.h>

#include <string>

#include "runner/base/json.h"

namespace lab::sandbox {

// `osd dump`: this OSD is up, and it is the process with this pid that the monitors
// mean (a daemon's address carries its pid as nonce), not the one before it.
bool is_osd_up(const Json& osd_dump, const std::string& name, pid_t pid);

// `mgr dump`: the manager with this pid is the active one, and ready.
bool is_manager_active(const Json& mgr_dump, pid_t pid);

}  // namespace lab::sandbox
