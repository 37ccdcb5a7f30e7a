// Follows the recovery of a cluster once a second, whatever else waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "results/recovery.h"
#include "runner/ceph/cluster.h"
#include "runner/recovery/milestones.h"

namespace lab::recovery {

class RecoveryWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // Writes recovery.csv to `folder`; its times are since `zero`.
  RecoveryWatch(ceph::Cluster& cluster, const fs::path& folder, Clock::time_point zero);
  ~RecoveryWatch();
  RecoveryWatch(const RecoveryWatch&) = delete;
  RecoveryWatch& operator=(const RecoveryWatch&) = delete;

  // From now on the recovery is expected.
  void begin();
  Milestones milestones() const;
  // The newest; none until the cluster has answered.
  std::optional<results::RecoveryPoint> last() const;
  // How long the cluster has not told anything.
  std::chrono::duration<double> silence() const;
  void stop();

 private:
  void work();

  ceph::Cluster& cluster_;
  results::RecoveryLog log_;
  Clock::time_point zero_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  Milestones milestones_;
  std::optional<results::RecoveryPoint> last_;
  Clock::time_point answered_;
  std::thread thread_;
};

// `status` and the sums of `pg dump sum`, as the commands answer. Pure.
results::RecoveryPoint parse_point(const Json& status, const Json& pg_sums);

}  // namespace lab::recovery
