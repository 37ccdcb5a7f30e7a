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
  KnobValue read(const Knob& knob) override;
  void set(const Knob& knob, const KnobValue& value) override;

 private:
  ceph::Cluster& cluster_;
};

// The value that `config dump` has for exactly this place ("osd", "osd/class:ssd") and option:
// not what would be inherited from elsewhere. Pure.
KnobValue configured_value(const Json& config_dump, const std::string& place,
                           const std::string& option);

}  // namespace lab
