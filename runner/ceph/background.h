// What Ceph does beside client I/O, and how it is steered: scrubs (OSD flags), the balancer, the
// PG autoscaler, and which OSDs hold data. Reading and applying are apart: who changes something
// reads the old state first and puts it back with the same function.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/ceph/cluster.h"

namespace lab::ceph {

// Flags of the OSD map, "noscrub", "nodeep-scrub", "noout", … (among others that are
// always set, like "sortbitwise").
std::set<std::string> parse_osd_flags(const Json& osd_dump);
std::set<std::string> read_osd_flags(Cluster& cluster);
void set_osd_flag(Cluster& cluster, const std::string& flag, bool on);

struct Balancer {
  bool active = false;
  std::string mode;  // "upmap", "crush-compat", "none"
};
Balancer read_balancer(Cluster& cluster);
void set_balancer(Cluster& cluster, bool active);

// The part of its data that each OSD keeps, as a number in a text: "1", "0.85"; "0": it is out.
std::map<int, std::string> parse_reweights(const Json& osd_dump);
void set_reweight(Cluster& cluster, int osd, const std::string& weight);

// "on", "off" or "warn" for every pool.
std::map<std::string, std::string> parse_autoscale_modes(const Json& osd_dump);
std::map<std::string, std::string> read_autoscale_modes(Cluster& cluster);
void set_autoscale_mode(Cluster& cluster, const std::string& pool, const std::string& mode);

}  // namespace lab::ceph
