// A cluster in the hands of one lab: locked against others, calm, tuned for one cell after the
// other, and at the end as it was found.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"
#include "runner/ceph/exclusive_lock.h"
#include "runner/daemons/driver.h"
#include "runner/tuning/ceph_tuned_cluster.h"
#include "runner/tuning/cluster_board.h"
#include "runner/tuning/daemon_board.h"
#include "runner/tuning/host_board.h"
#include "runner/tuning/journal.h"
#include "runner/tuning/surroundings.h"
#include "runner/tuning/tuner.h"

namespace lab {

// All the places where a lab may change something.
class Boards {
 public:
  // `driver` may be null.
  Boards(ceph::Cluster& cluster, daemons::Driver* driver) : cluster_(cluster) {
    if (driver) daemons_.emplace(*driver);
  }
  std::vector<KnobBoard*> all() {
    std::vector<KnobBoard*> boards = {&cluster_, &host_};
    if (daemons_) boards.push_back(&*daemons_);
    return boards;
  }

 private:
  ClusterBoard cluster_;
  HostBoard host_;
  std::optional<DaemonBoard> daemons_;
};

class ClusterTuning {
 public:
  using Say = std::function<void(const std::string&)>;

  // Locks the cluster. `driver` may be null. Throws lab::Error (Exit::environment) if another lab
  // works on it, or if one has left it changed; nothing is changed yet.
  ClusterTuning(ceph::Cluster& cluster, std::unique_ptr<daemons::Driver> driver,
                const std::string& command, Say say);
  // Restores, if that was not done; what goes wrong then is only told through `say`.
  ~ClusterTuning();
  ClusterTuning(const ClusterTuning&) = delete;
  ClusterTuning& operator=(const ClusterTuning&) = delete;

  // No scrubs, balancer or autoscaler from now on, and no rebalancing where `restarts` says that
  // daemons will be started anew. Returns what was turned off, for people.
  std::string calm(bool restarts);

  // Before a run. `unit`: number of the restart that the run belongs to, 0 for none; another than
  // the last one's starts all `restarts` anew. True if it started any.
  bool enter(const std::vector<Setting>& settings, unsigned unit,
             const std::set<std::string>& restarts);

  // Failures made on purpose, beside the settings of the last enter() and beside earlier failures:
  // knobs of daemons and OSDs, set in their order.
  void disturb(const KnobValues& failures);
  // Without those failures again. Returns when all placement groups are clean; throws lab::Error
  // (Exit::environment) after `limit` with what it was waiting for.
  void heal(std::chrono::seconds limit);

  // Throws lab::Error (Exit::not_restored) with what is not as it was.
  void restore();

  // Daemons that have to be started anew for these to act.
  std::set<std::string> started_by(const KnobValues& knobs) { return tuner_.started_by(knobs); }

  // Whether an option acts without a restart.
  bool acts_at_runtime(const std::string& option) { return tuned_.acts_at_runtime(option); }

  ceph::Cluster& cluster() { return cluster_; }
  // Null if no daemon can be started anew.
  daemons::Driver* driver() { return driver_.get(); }
  // Those that lab can start anew.
  std::vector<std::string> daemons();
  Surroundings surroundings();
  // Throws lab::Error if the lock was lost.
  void check_lock() const { lock_.check(); }

 private:
  void check_host(const KnobValues& wanted) const;

  ceph::Cluster& cluster_;
  std::unique_ptr<daemons::Driver> driver_;
  Say say_;
  ceph::LockHolder holder_;
  ceph::ExclusiveLock lock_;
  Boards boards_;
  CephTunedCluster tuned_;
  Journal journal_;
  Tuner tuner_;
  KnobValues calm_;
  KnobValues wanted_;    // of the last enter()
  KnobValues failures_;  // made since
  unsigned unit_ = 0;
};

// What somebody left changed on this cluster is put back. Returns what was done, for people;
// empty if there was nothing. Throws lab::Error: Exit::environment if a lab works on it now,
// Exit::not_restored for what could not be put back.
std::string restore_cluster(ceph::Cluster& cluster, const ClusterTuning::Say& say);

}  // namespace lab
