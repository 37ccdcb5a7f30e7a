// From what was seen before, during and after a run to the marks that it gets. Pure; docs/method.md
// has a table of all marks with the reasons for their weights.
#pragma once

#include <optional>
#include <vector>

#include "results/mark.h"
#include "runner/witness/client_account.h"
#include "runner/witness/cluster_sight.h"
#include "runner/witness/cluster_watch.h"
#include "runner/witness/host_sight.h"
#include "runner/witness/thread_watch.h"

namespace lab::witness {

// OSDs that went or came, health, scrubs, recovery, and the client's count of I/Os against what
// the OSDs served. `object_bytes`: of the image; 0 if it isn't known.
std::vector<results::Mark> judge_cluster(const ClusterSight& before, const ClusterSight& after,
                                         const During& during, const ClientAccount& client,
                                         uint64_t object_bytes);

// Swapping, OOM kills, stolen CPU time, and a client that is the limit itself. `busiest`: of fio's
// threads; none if none could be watched.
std::vector<results::Mark> judge_host(const HostSight& before, const HostSight& after,
                                      const std::optional<BusyThread>& busiest);

}  // namespace lab::witness
