// What every target on a Ceph cluster shares: quiet before a run, and the conditions.
#pragma once

#include "results/manifest.h"
#include "runner/ceph/cluster.h"
#include "runner/target/rbd_data.h"
#include "runner/target/target.h"

namespace lab {

class CephSide {
 public:
  explicit CephSide(ceph::Cluster& cluster) : cluster_(cluster) {}

  std::string fsid() const { return cluster_.fsid(); }
  // Before the first run: nothing may be going on.
  void wait_quiet(const PrepareProgress& progress);
  // Before each run: quiet still (waits only if it isn't), and the OSDs' caches dropped, so that
  // each run starts alike.
  std::vector<results::Mark> settle(const std::function<void(const std::string&)>& say);
  // Is the cluster still as quiet as before the run?
  std::vector<results::Mark> after_run();
  results::TextList conditions(const RbdData& data);
  std::vector<results::OsdRecord> osds();

 private:
  ceph::Cluster& cluster_;
};

}  // namespace lab
