// A Ceph cluster as the tuner asks it, and which daemons it has.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"
#include "runner/tuning/tuned_cluster.h"

namespace lab {

class CephTunedCluster : public TunedCluster {
 public:
  using Say = std::function<void(const std::string&)>;
  CephTunedCluster(ceph::Cluster& cluster, Say say) : cluster_(cluster), say_(std::move(say)) {}

  bool acts_at_runtime(const std::string& option) override;
  std::vector<std::vector<std::string>> restart_groups(
      const std::set<std::string>& daemons) override;
  void wait_clean(std::chrono::seconds limit) override;

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
