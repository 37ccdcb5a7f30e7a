// Knobs that lie in the cluster: the monitors' configuration, flags of the OSD map, the
// balancer, the autoscaler of each pool.
#pragma once

#include "runner/ceph/cluster.h"
#include "runner/tuning/knob.h"

namespace lab {

class ClusterBoard : public KnobBoard {
 public:
  explicit ClusterBoard(ceph::Cluster& cluster) : cluster_(cluster) {}
  bool has(KnobKind kind) const override;
  KnobValue read(const Knob& knob) override { return read_all({knob}).at(knob); }
  KnobValues read_all(const std::vector<Knob>& knobs) override;
  void set(const Knob& knob, const KnobValue& value) override;

 private:
  ceph::Cluster& cluster_;
};

// What `config dump` has, each entry as the knob of exactly its place ("osd", "osd/class:ssd"):
// what would be inherited from elsewhere is not there. Pure.
KnobValues configured_values(const Json& config_dump);

// Flags that are set and the autoscaler of each pool, as `osd dump` has them. Pure.
KnobValues values_of_osd_map(const Json& osd_dump);

}  // namespace lab
