// Hosts and their OSDs in a cluster's CRUSH map, from the answer to `osd tree`. Pure.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/base/json.h"

namespace lab::ceph {

// OSDs below each host that has some, by the host's name.
std::map<std::string, std::set<int>> osds_by_host(const Json& osd_tree);

}  // namespace lab::ceph
