// The client's count of I/Os held against what the OSDs served, both ways: more than the client
// did is other clients' traffic; less was answered without the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "results/mark.h"
#include "runner/witness/client_account.h"
#include "runner/witness/cluster_sight.h"
#include "runner/witness/cluster_watch.h"

namespace lab::witness {

struct Traffic {
  uint64_t reads = 0, writes = 0;
  double seconds = 0;
  uint64_t read_bytes = 0, write_bytes = 0;
};

// What all OSDs together served between two looks. None where it is not known: an OSD didn't
// tell, or began to count anew.
std::optional<Traffic> served_between(const ClusterSight& before, const ClusterSight& after);

// Operations that one direction of a client makes of the OSDs, at least and at most: an I/O
// larger than an object, or across the border of two, is several. `bytes`: of one I/O, on average.
struct Range {
  double least = 0;
  double most = 0;
};
Range expected_ops(uint64_t ios, double bytes, uint64_t object_bytes);

std::vector<results::Mark> judge_traffic(const Traffic& served, const During& during,
                                         const ClientAccount& client, uint64_t object_bytes);

}  // namespace lab::witness
