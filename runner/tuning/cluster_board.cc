#include "runner/tuning/cluster_board.h"

#include <algorithm>

#include "runner/ceph/background.h"
#include "runner/ceph/config_entries.h"

namespace lab {

bool ClusterBoard::has(KnobKind kind) const {
  return kind == KnobKind::config || kind == KnobKind::osd_flag || kind == KnobKind::balancer ||
         kind == KnobKind::autoscale || kind == KnobKind::reweight;
}

namespace {

int osd_number(const Knob& knob) { return std::stoi(knob.place.substr(4)); }

}  // namespace

KnobValues configured_values(const Json& config_dump) {
  KnobValues values;
  for (const ceph::ConfigEntry& entry : ceph::parse_config_dump(config_dump))
    values.emplace(Knob{KnobKind::config, ceph::who(entry), entry.name}, entry.value);
  return values;
}

KnobValues values_of_osd_map(const Json& osd_dump) {
  KnobValues values;
  for (const std::string& flag : ceph::parse_osd_flags(osd_dump))
    values[{KnobKind::osd_flag, "", flag}] = "on";
  for (const auto& [pool, mode] : ceph::parse_autoscale_modes(osd_dump))
    values[{KnobKind::autoscale, pool, ""}] = mode;
  for (const auto& [osd, weight] : ceph::parse_reweights(osd_dump))
    values[{KnobKind::reweight, fmt::format("osd.{}", osd), ""}] = weight;
  return values;
}

KnobValues ClusterBoard::read_all(const std::vector<Knob>& knobs) {
  const auto any = [&](KnobKind kind) {
    return std::any_of(knobs.begin(), knobs.end(),
                       [kind](const Knob& knob) { return knob.kind == kind; });
  };
  KnobValues all;
  if (any(KnobKind::config)) all = configured_values(cluster_.mon({{"prefix", "config dump"}}));
  if (any(KnobKind::osd_flag) || any(KnobKind::autoscale) || any(KnobKind::reweight))
    all.merge(values_of_osd_map(cluster_.mon({{"prefix", "osd dump"}})));
  if (any(KnobKind::balancer))
    all[{KnobKind::balancer, "", ""}] = ceph::read_balancer(cluster_).active ? "on" : "off";
  KnobValues values;
  for (const Knob& knob : knobs) {
    const auto found = all.find(knob);
    values[knob] = found == all.end() ? KnobValue() : found->second;
  }
  return values;
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
    case KnobKind::reweight:
      // An OSD that is not in the map any more has none to be put back.
      if (value) ceph::set_reweight(cluster_, osd_number(knob), *value);
      break;
    default:
      // A pool that was removed meanwhile has nothing to be put back.
      if (value) ceph::set_autoscale_mode(cluster_, knob.place, *value);
      break;
  }
}

}  // namespace lab
