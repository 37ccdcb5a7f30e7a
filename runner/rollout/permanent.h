// How a level is made permanent by hand, and with Ansible: the exact commands for a change request.
// lab itself leaves nothing behind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/base/file.h"
#include "runner/tuning/setting.h"

namespace lab::rollout {

struct Permanent {
  std::string by_hand;  // a shell script for a host, or for the cluster; with comments
  std::string ansible;  // tasks or group variables; with comments
};

// Of the settings of a level; `restart`: they act when daemons are started anew; `find_library`
// names an allocator's library on this host. Pure.
Permanent make_permanent(const std::vector<Setting>& settings, bool restart,
                         const std::function<fs::path(const std::string&)>& find_library);

}  // namespace lab::rollout
