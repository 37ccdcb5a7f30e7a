// A Ceph cluster as the tuner sees it.
#pragma once

#include <chrono>
#include <functional>
#include <map>

#include "runner/ceph/cluster.h"
#include "runner/tuning/tuner.h"

namespace lab {

class CephTunedCluster : public TunedCluster {
 public:
  using Say = std::function<void(const std::string&)>;
  CephTunedCluster(ceph::Cluster& cluster, Say say) : cluster_(cluster), say_(std::move(say)) {}

  bool acts_at_runtime(const std::string& option) override;
  std::vector<std::vector<std::string>> restart_groups(
      const std::set<std::string>& daemons) override;
  void wait_clean() override;

 private:
  ceph::Cluster& cluster_;
  Say say_;
  std::map<std::string, bool> at_runtime_;
};

// Daemons in the order in which they are started anew. Monitors, managers and gateways one by
// one; OSDs host by host, or one by one where some pool spreads its copies over OSDs only and a
// host may hold all of an object. `osd_tree` as the command answers. Pure.
std::vector<std::vector<std::string>> group_by_failure_domain(const std::set<std::string>& daemons,
                                                              const Json& osd_tree,
                                                              bool spread_over_osds);

}  // namespace lab
