#include "runner/tuning/cluster_board.h"

#include "runner/ceph/background.h"
#include "runner/ceph/config_entries.h"

namespace lab {

bool ClusterBoard::has(KnobKind kind) const {
  return kind == KnobKind::config || kind == KnobKind::osd_flag || kind == KnobKind::balancer ||
         kind == KnobKind::autoscale;
}

KnobValue configured_value(const Json& config_dump, const std::string& place,
                           const std::string& option) {
  for (const ceph::ConfigEntry& entry : ceph::parse_config_dump(config_dump))
    if (entry.name == option && ceph::who(entry) == place) return entry.value;
  return {};
}

KnobValue ClusterBoard::read(const Knob& knob) {
  switch (knob.kind) {
    case KnobKind::config:
      return configured_value(cluster_.mon({{"prefix", "config dump"}}), knob.place, knob.name);
    case KnobKind::osd_flag:
      if (ceph::read_osd_flags(cluster_).contains(knob.name)) return "on";
      return {};
    case KnobKind::balancer:
      return ceph::read_balancer(cluster_).active ? "on" : "off";
    default: {
      const auto modes = ceph::read_autoscale_modes(cluster_);
      const auto found = modes.find(knob.place);
      if (found == modes.end()) return {};
      return found->second;
    }
  }
}

void ClusterBoard::set(const Knob& knob, const KnobValue& value) {
  switch (knob.kind) {
    case KnobKind::config:
      if (value)
        cluster_.mon({{"prefix", "config set"},
                      {"who", knob.place},
                      {"name", knob.name},
                      {"value", *value}});
      else
        cluster_.mon({{"prefix", "config rm"}, {"who", knob.place}, {"name", knob.name}});
      break;
    case KnobKind::osd_flag:
      ceph::set_osd_flag(cluster_, knob.name, value.has_value());
      break;
    case KnobKind::balancer:
      ceph::set_balancer(cluster_, value == "on");
      break;
    default:
      // A pool that was removed meanwhile has nothing to be put back.
      if (value) ceph::set_autoscale_mode(cluster_, knob.place, *value);
      break;
  }
}

}  // namespace lab
