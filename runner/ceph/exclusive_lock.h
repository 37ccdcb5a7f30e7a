// One laboratory at a time: an exclusive lock on a RADOS object, renewed by its holder as
// long as it lives, and gone a minute after it has died.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "runner/base/process.h"
#include "runner/ceph/cluster.h"

namespace lab::ceph {

// Who holds it, as the lock itself tells everybody.
struct LockHolder {
  std::string command;  // "lab run jobs/4k-randrw.fio"
  std::string host;
  std::string boot;  // /proc/sys/kernel/random/boot_id: the host's name alone may not be unique
  std::string pids;  // the PID namespace: in a container the same number is another process
  ProcessId process;
  std::string since;  // ISO 8601, UTC

  bool operator==(const LockHolder&) const = default;
};

// This process.
LockHolder this_process(std::string command);

// The holder as one printable text, and back; none if the text is not of that form.
std::string to_cookie(const LockHolder& holder);
std::optional<LockHolder> from_cookie(const std::string& cookie);

// `lab run … on host h1 (pid 17) since 2026-11-30T19:03:14Z`
std::string describe(const LockHolder& holder);

bool is_this_host(const LockHolder& holder);
// True only if the holder certainly has ended: it ran on this host, since this boot.
bool has_ended(const LockHolder& holder);

// Held from take() until the object goes. The lock is on object `lab.lock`, namespace
// `lab`, of the cluster's oldest replicated pool, so that all labs find the same one; the
// object is removed at the end.
class ExclusiveLock {
 public:
  // Throws lab::Error (Exit::environment) naming the holder if there is another one. One that has
  // ended on this host is put aside at once; a dead one elsewhere within a minute.
  ExclusiveLock(Cluster& cluster, const LockHolder& holder);
  ~ExclusiveLock();
  ExclusiveLock(const ExclusiveLock&) = delete;
  ExclusiveLock& operator=(const ExclusiveLock&) = delete;

  bool lost() const { return lost_; }
  // Throws lab::Error (Exit::environment) if it could not be renewed in time: another lab may
  // work on the cluster since.
  void check() const;

 private:
  void renew_until_stopped();
  int renew();  // a negative errno

  std::string pool_;
  std::string cookie_;
  std::string description_;
  void* ioctx_ = nullptr;
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;
  std::thread renewal_;
};

}  // namespace lab::ceph
