// A real Ceph cluster on this machine's loopback, that lab starts and removes by
// itself: one monitor, one manager, BlueStore OSDs on preallocated files, radosgw.
// Its daemons live on when lab ends; a state file tells the next lab of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"
#include "runner/sandbox/directory.h"
#include "runner/sandbox/state.h"

namespace lab::sandbox {

struct DaemonStatus {
  std::string name;
  ProcessId process;
  bool running = false;
  bool wanted = true;  // false: stopped on purpose
  uint16_t port = 0;
  uint64_t resident_bytes = 0;
};

// up() and find() take CEPH_ARGS and its like out of this process's environment: from
// then on it works on the sandbox and on no other cluster.
class Sandbox {
 public:
  // Starts one, or finds it running already: then daemons that have ended since are
  // started again (not those that were stopped on purpose), and the options don't count. Leftovers
  // of one that never came up are removed first. What was begun is taken back if it fails or is
  // interrupted. Throws lab::Error: Exit::usage (options, a directory that isn't a sandbox's),
  // Exit::environment (programs, disk space, daemons), Exit::interrupted.
  static Sandbox up(const Options& options, const Log& log);

  // The sandbox in this directory, whether its daemons run or not; none if there is none
  // or if it never came up. Changes nothing.
  static std::optional<Sandbox> find(const fs::path& dir);

  // Ends the daemons and removes what the sandbox made. True if there was one.
  // Throws Exit::usage for a directory that holds something else.
  static bool down(const fs::path& dir, const Log& log);

  const State& state() const { return state_; }
  const Layout& layout() const { return layout_; }
  ceph::Access access() const;
  // True if this up() has started it, false if it ran already.
  bool started_now() const { return started_now_; }

  std::vector<DaemonStatus> daemons() const;
  bool all_running() const;

  // How a daemon is started, and the process that it is now. Throws Exit::usage for a name it
  // hasn't got.
  Daemon definition(const std::string& name);
  // Changes how it is started the next time: its argv, or the environment that is added to
  // lab's own. Kept in the state file.
  void redefine(const std::string& name, const std::function<void(Daemon&)>& change);

  // Ends a daemon and starts it as it is defined now, on the CPUs that it had, whatever this
  // process is bound to. Returns when it is up again: an OSD when the monitors say so, the gateway
  // when its port answers. Placement groups may still be peering then.
  void restart_daemon(const std::string& name);

  // Ends a daemon and leaves it so: with SIGKILL, as a failure, if `grace` is zero.
  void stop_daemon(const std::string& name, std::chrono::milliseconds grace);
  // Starts it again, with the environment that it had.
  void start_daemon(const std::string& name);

  // The store of an OSD: destroyed while the OSD is stopped, as if its disk had been replaced, and
  // made again, empty. Neither does anything twice. Throw Exit::usage for other daemons.
  bool has_store(const std::string& name);
  void destroy_store(const std::string& name);
  void make_store(const std::string& name);

 private:
  Sandbox(Layout layout, State state) : layout_(std::move(layout)), state_(std::move(state)) {}
  Daemon& daemon(const std::string& name);
  int osd(const std::string& name);

  Layout layout_;
  State state_;
  bool started_now_ = false;
};

}  // namespace lab::sandbox
