#include "runner/ceph/crush_tree.h"

namespace lab::ceph {

std::map<std::string, std::set<int>> osds_by_host(const Json& osd_tree) {
  std::map<std::string, std::set<int>> hosts;
  for (const Json& node : osd_tree.at("nodes")) {
    if (node.value("type", "") != "host") continue;
    for (const Json& child : node.at("children"))
      hosts[node.at("name").get<std::string>()].insert(child.get<int>());
  }
  return hosts;
}

}  // namespace lab::ceph
