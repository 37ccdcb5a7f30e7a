// The looks at a cluster right before a run and right after, and the watch between them: together
// they tell what went on beside it.
#pragma once

#include <vector>

#include "results/mark.h"
#include "results/run_record.h"
#include "runner/hosts/package.h"
#include "runner/witness/client_account.h"
#include "runner/witness/cluster_sight.h"
#include "runner/witness/cluster_watch.h"

namespace lab::witness {

class ClusterWitness {
 public:
  explicit ClusterWitness(ceph::Cluster& cluster) : cluster_(cluster), watch_(cluster) {}

  // Right before fio starts. Throws as look_at.
  void begin();
  // Right after it has ended: what was seen, as marks. `object_bytes`: of the image. Throws as
  // look_at; begin() must have been called.
  std::vector<results::Mark> end(const ClientAccount& client, uint64_t object_bytes);
  // The OSDs' processes at the end, as far as they are on this host; of end()'s look.
  std::vector<results::OsdProcess> processes();

 private:
  ceph::Cluster& cluster_;
  ClusterSight before_;
  ClusterSight after_;
  hosts::Packages packages_;
  ClusterWatch watch_;
};

}  // namespace lab::witness
