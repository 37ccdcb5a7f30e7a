// What the tuner asks of a Ceph cluster.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"

namespace lab {

class CephTunedCluster {
 public:
  using Say = std::function<void(const std::string&)>;
  CephTunedCluster(ceph::Cluster& cluster, Say say) : cluster_(cluster), say_(std::move(say)) {}

  // Whether an option acts without a restart. Throws lab::Error (Exit::environment) for one that
  // the cluster doesn't know.
  bool acts_at_runtime(const std::string& option);
  // Daemons in the groups in which they are started anew: all of a group are of one failure
  // domain, and may be away at the same time.
  std::vector<std::vector<std::string>> restart_groups(const std::set<std::string>& daemons);
  // Returns when all placement groups are clean again; throws lab::Error (Exit::environment) with
  // what it was waiting for.
  void wait_clean();

 private:
  ceph::Cluster& cluster_;
  Say say_;
  std::map<std::string, bool> at_runtime_;
};

// Daemons that a cluster knows of, wherever they run: its monitors, and its OSDs that are up.
std::vector<std::string> known_daemons(ceph::Cluster& cluster);
// The gateways that serve, as the manager knows them.
std::set<std::string> known_gateways(ceph::Cluster& cluster);

// "rgw.a", … of the answer to `service dump`, each once. Pure.
std::set<std::string> gateways_of(const Json& service_dump);

// Daemons in the order in which they are started anew. Monitors, managers and gateways one by
// one; OSDs host by host, or one by one where some pool spreads its copies over OSDs only and a
// host may hold all of an object. `osd_tree` as the command answers. Pure.
std::vector<std::vector<std::string>> group_by_failure_domain(const std::set<std::string>& daemons,
                                                              const Json& osd_tree,
                                                              bool spread_over_osds);

}  // namespace lab
