// What every target on a Ceph cluster shares: quiet before a run, and the conditions.
#pragma once

#include "results/manifest.h"
#include "runner/ceph/cluster.h"
#include "runner/target/rbd_data.h"
#include "runner/target/target.h"
#include "runner/witness/cluster_witness.h"

namespace lab {

class CephSide {
 public:
  explicit CephSide(ceph::Cluster& cluster) : cluster_(cluster), witness_(cluster) {}

  std::string fsid() const { return cluster_.fsid(); }
  // Before the first run: nothing may be going on.
  void wait_quiet(const PrepareProgress& progress);
  // Before each run: quiet still (waits only if it isn't), and the OSDs' caches dropped, so that
  // each run starts alike. The witness looks last.
  std::vector<results::Mark> settle(const std::function<void(const std::string&)>& say,
                                    Start start);
  // What went on beside the run, and whether the client's count of I/Os is the OSDs'.
  std::vector<results::Mark> after_run(const witness::ClientAccount& client,
                                       uint64_t object_bytes) {
    return witness_.end(client, object_bytes);
  }
  std::vector<results::OsdProcess> osd_processes() { return witness_.processes(); }
  results::TextList conditions(const RbdData& data);
  std::vector<results::OsdRecord> osds();

 private:
  ceph::Cluster& cluster_;
  witness::ClusterWitness witness_;
};

}  // namespace lab
