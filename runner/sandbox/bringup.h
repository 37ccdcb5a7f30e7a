// Brings up a cluster from nothing, step by step. The order is chosen for speed: what
// doesn't depend on each other runs at the same time.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "runner/base/process.h"
#include "runner/ceph/cluster.h"
#include "runner/sandbox/directory.h"
#include "runner/sandbox/state.h"

namespace lab::sandbox {

// A daemon couldn't listen because somebody took its port: try again with others.
class PortTaken : public Error {
 public:
  explicit PortTaken(const std::string& text) : Error(Exit::environment, text) {}
};

class Bringup {
 public:
  Bringup(const Layout& layout, State& state, Log log);

  // Returns when the cluster answers with HEALTH_OK; if it stays at HEALTH_WARN the
  // reasons are logged. Throws lab::Error otherwise; nothing is taken back here.
  void run();

 private:
  void write_files();
  void make_monitor();
  void make_osd_stores();
  void start_daemon(const std::string& name);
  void connect();
  void add_manager_and_osds();
  void make_pools();
  void start_gateway();
  void make_s3_user();
  void wait_for_health();
  // Throws if a daemon has ended: with its last words.
  void check_daemons() const;
  template <typename Condition>
  void wait_until(const std::string& what, std::chrono::seconds limit, Condition condition);

  const Layout& layout_;
  State& state_;
  Log log_;
  std::vector<Child> osd_stores_;  // ceph-osd --mkfs, running
  std::unique_ptr<ceph::Cluster> cluster_;
};

// Where the cluster of this sandbox is reached.
ceph::Access access_of(const Layout& layout);

}  // namespace lab::sandbox
