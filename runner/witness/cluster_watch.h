// Looks at a cluster a few times while a run goes on: scrubs, recovery and OSDs that come and go
// may be over when it ends.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "runner/ceph/cluster.h"
#include "runner/ceph/health.h"

namespace lab::witness {

// All looks together, so that it stays small however long the run is.
struct During {
  unsigned looks = 0;
  unsigned scrubbing = 0;   // looks that saw a PG being scrubbed
  unsigned recovering = 0;  // … or data being moved or made whole again
  std::string recovery;     // what the first of those saw: "3 of 32 PGs active+recovering"
  uint64_t fewest_up = 0;   // OSDs
  std::string slow_ops;     // as the cluster's health put it first
  std::map<std::string, double> pool_ops;  // mean of clients' operations a second, by pool

  // `pool_stats`: of `osd pool stats`; null if there was no answer.
  void add(const ceph::Activity& activity, const Json& pool_stats);
};

// What the PGs that recover are at: "3 of 32 PGs active+recovering, …".
std::string recovery_text(const ceph::PgStates& pgs);

class ClusterWatch {
 public:
  explicit ClusterWatch(ceph::Cluster& cluster) : cluster_(cluster) {}
  ~ClusterWatch() { stop(); }
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  // In a thread of its own: a cluster that doesn't answer holds up nothing but this.
  void start();
  // What was seen since start(); nothing if it wasn't called.
  During stop();

 private:
  void work();

  ceph::Cluster& cluster_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  During during_;
};

}  // namespace lab::witness
