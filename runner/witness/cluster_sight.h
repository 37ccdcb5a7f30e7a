// A cluster as it stands at one moment, as far as a measurement has to know it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runner/base/process.h"
#include "runner/ceph/cluster.h"
#include "runner/ceph/health.h"

namespace lab::witness {

// Of `perf dump`'s section "osd", counted since the daemon's start. Clients' operations of all
// pools; a replica's or shard's share of one is a subop, and not in them.
struct OsdCounters {
  uint64_t reads = 0;   // op_r
  uint64_t writes = 0;  // op_w, and op_rw: read, changed and written in one operation
  uint64_t in_bytes = 0, out_bytes = 0;

  bool operator==(const OsdCounters&) const = default;
};

struct OsdSight {
  int id = 0;
  bool up = false;
  bool in = false;
  uint64_t up_from = 0;                 // epoch of the map since which it has been up
  std::optional<ProcessId> process;     // of OSDs on this host that we may look at
  std::optional<OsdCounters> counters;  // none: it did not tell in time, or doesn't know them
};

struct ClusterSight {
  double at_s = 0;             // of a clock that never jumps
  std::vector<OsdSight> osds;  // ascending by id
  ceph::Activity activity;
};

// None if the daemon has no such counters.
std::optional<OsdCounters> parse_counters(const Json& perf_dump);
// As `osd dump` has them; processes and counters are left open.
std::vector<OsdSight> parse_osd_map(const Json& osd_dump);

// The OSDs are asked in parallel, a few at a time, and those that don't answer within seconds are
// left out. Throws lab::Error (Exit::environment) if the monitors don't answer.
ClusterSight look_at(ceph::Cluster& cluster);

}  // namespace lab::witness
