// Is the cluster quiet enough to measure? States as values, read from a cluster's
// answers, and waiting until all of it is quiet.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"

namespace lab::ceph {

// Placement groups by the name of their state ("active+clean").
struct PgStates {
  uint64_t total = 0;
  std::map<std::string, uint64_t> by_state;
};

struct Health {
  std::string status;                // "HEALTH_OK", "HEALTH_WARN", "HEALTH_ERR"
  std::vector<std::string> reasons;  // "OSD_DOWN: 1 osds down"; muted ones left out
};

// What `status` tells, as far as it disturbs a measurement.
struct Activity {
  Health health;
  PgStates pgs;
  uint64_t osds = 0;
  uint64_t osds_up = 0;
  uint64_t osds_in = 0;
  uint64_t degraded_objects = 0;
  uint64_t misplaced_objects = 0;
  double recovery_bytes_per_s = 0;
  bool slow_ops = false;
};

Health parse_health(const Json& health);
Activity parse_status(const Json& status);

bool all_clean(const PgStates& pgs);  // every PG is active+clean, perhaps scrubbed; none is "no"
bool is_scrubbing(const PgStates& pgs);
// Is data moved or made whole again, or waiting for it?
bool is_recovering(const PgStates& pgs);

// What keeps the cluster from being quiet, for people; empty if it is quiet. Health
// warnings that don't disturb (a full disk of the monitor's host, flags that lab has
// set itself) are no obstacle.
std::vector<std::string> obstacles(const Activity& activity);

Activity read_activity(Cluster& cluster);

// How often the managers' statistics are renewed (mgr_stats_period), from one second to half a
// minute: what `status` tells of placement groups lags by one or two of them.
std::chrono::seconds stats_period(const Cluster& cluster);

// The part of obstacles() that is about placement groups: what has to be over before the next
// daemon may go.
std::vector<std::string> unclean(const Activity& activity);

// As wait_quiet, but for the placement groups alone.
void wait_clean(Cluster& cluster, std::chrono::seconds limit,
                const std::function<void(const std::string&)>& progress = {});

// Returns when the cluster has been quiet twice, a statistics period apart, since what
// the monitors say lags behind. Throws lab::Error (Exit::environment) after `limit`,
// with what it was still waiting for. `progress` is told when that changes.
void wait_quiet(Cluster& cluster, std::chrono::seconds limit,
                const std::function<void(const std::string&)>& progress = {});

}  // namespace lab::ceph
