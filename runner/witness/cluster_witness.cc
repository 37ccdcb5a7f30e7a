#include "runner/witness/cluster_witness.h"

#include "runner/hosts/process_memory.h"
#include "runner/witness/judge.h"
#include "runner/witness/osd_process.h"

namespace lab::witness {

std::vector<results::OsdProcess> ClusterWitness::processes() {
  std::vector<results::OsdProcess> out;
  for (const OsdSight& osd : after_.osds)
    if (osd.process)
      if (auto process = look_at_process(osd.id, osd.process->pid, packages_))
        out.push_back(std::move(*process));
  return out;
}

void ClusterWitness::begin() {
  watch_.stop();
  before_ = look_at(cluster_);
  // So that a peak belongs to the run, and not to the daemon's start.
  for (const OsdSight& osd : before_.osds)
    if (osd.process) hosts::reset_peak_rss(osd.process->pid);
  watch_.start();
}

std::vector<results::Mark> ClusterWitness::end(const ClientAccount& client, uint64_t object_bytes) {
  const During during = watch_.stop();
  after_ = look_at(cluster_);
  return judge_cluster(before_, after_, during, client, object_bytes);
}

}  // namespace lab::witness
