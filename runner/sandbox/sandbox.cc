#include "runner/sandbox/sandbox.h"

#include <algorithm>
#include <cstdlib>

#include "runner/base/fail_point.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/base/time.h"
#include "runner/hosts/process_memory.h"
#include "runner/sandbox/answers.h"
#include "runner/sandbox/bringup.h"
#include "runner/sandbox/daemon.h"
#include "runner/sandbox/keys.h"
#include "runner/sandbox/osd_store.h"

namespace lab::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kGrace{8000};
constexpr seconds kLockPatience{180};
constexpr int kPortAttempts = 3;

Layout layout_of(const fs::path& dir) {
  fs::path path = fs::absolute(dir.empty() ? default_directory() : dir).lexically_normal();
  // "a/b/" ends with an empty name.
  return {path.has_filename() ? path : path.parent_path()};
}

// A shell that is set up for a real cluster (CEPH_ARGS="-m …") must not lead what is
// meant for the sandbox there: librados reads these variables by itself, in lab as in
// the fio that it starts.
void forget_other_clusters() {
  for (const char* variable : {"CEPH_ARGS", "CEPH_CONF", "CEPH_KEYRING"}) unsetenv(variable);
}

bool has_kind(const Daemon& daemon, std::string_view kind) {
  return std::string_view(daemon.name).starts_with(kind);
}

// In this order: an OSD whose monitor is gone may not react to SIGTERM.
void end_daemons(const State& state) {
  for (const char* kind : {"rgw.", "osd.", "mgr.", "mon."}) {
    std::vector<ProcessId> processes;
    for (const Daemon& daemon : state.daemons)
      if (has_kind(daemon, kind)) processes.push_back(daemon.process);
    end_processes(processes, kGrace);
  }
  // Whatever else carries the sandbox's token: started by a lab that was killed
  // before it could write the pid down, or a tool of the bring-up.
  end_processes(find_by_token(state.token), kGrace);
}

// Ends what runs and removes what is on disk, except the directory and its lock, which
// the caller holds.
void clear(const Layout& layout, State& state, const Log& log) {
  state.phase = Phase::stopping;
  save(state, layout);
  end_daemons(state);
  std::vector<std::string> left = remove_contents(layout);
  if (!left.empty())
    log(fmt::format("{}: left as they are, not made by lab: {}", layout.dir.string(),
                    join(left, ", ")));
}

// Returns when the daemon does its work: an OSD or manager when the monitors say so,
// monitor and gateway when they listen.
void wait_until_up(const Daemon& daemon, const Layout& layout) {
  constexpr seconds limit{60};
  auto deadline = Clock::now() + limit;
  std::unique_ptr<ceph::Cluster> cluster;
  auto is_up = [&]() -> bool {
    if (has_kind(daemon, "rgw.") || has_kind(daemon, "mon.")) return is_port_open(daemon.port);
    if (!cluster) cluster = ceph::Cluster::connect(access_of(layout));
    if (has_kind(daemon, "mgr."))
      return is_manager_active(cluster->mon({{"prefix", "mgr dump"}}), daemon.process.pid);
    return is_osd_up(cluster->mon({{"prefix", "osd dump"}}), daemon.name, daemon.process.pid);
  };
  while (!is_up()) {
    if (!is_running(daemon.process))
      throw environment_error("{} ended after its start:\n{}", daemon.name,
                              last_words(daemon.name, layout));
    if (Clock::now() >= deadline)
      throw environment_error("{} runs but isn't up after {} s; its log: {}", daemon.name,
                              limit.count(), layout.log(daemon.name).string());
    interruptible_sleep(milliseconds(100));
  }
}

// The number of an OSD; none for other daemons.
std::optional<int> osd_number(const std::string& name) {
  if (!name.starts_with("osd.")) return {};
  return std::stoi(name.substr(4));
}

void start_ended_daemons(const Layout& layout, State& state, const Log& log) {
  for (Daemon& daemon : state.daemons) {
    // What a lab has stopped is its own to start again: a recovery may be going on.
    if (is_running(daemon.process) || !daemon.wanted) continue;
    // One that runs without being known of can't be left beside it.
    end_processes(find_processes(daemon, state), kGrace);
    log(fmt::format("{} has ended: starting it again", daemon.name));
    start(daemon, state, layout);
    wait_until_up(daemon, layout);
  }
}

[[noreturn]] void refuse_foreign(const Layout& layout) {
  throw usage_error("--dir={}: the directory isn't empty and is no sandbox; nothing was changed",
                    layout.dir.string());
}

// One attempt; takes back what it began if it fails.
State start_new(const Layout& layout, const Options& options, bool made_directory, const Log& log) {
  State state;
  state.token = random_uuid();
  state.fsid = random_uuid();
  state.created = utc_now();
  state.created_directory = made_directory;
  state.options = options;
  state.options.dir = layout.dir;
  try {
    PortReservation reservation = PortReservation::make(options.osds);
    state.ports = reservation.ports();
    save(state, layout);
    Bringup(layout, state, log).run();
    state.phase = Phase::running;
    return state;
  } catch (...) {
    log("it didn't come up: removing what was begun");
    clear(layout, state, log);
    throw;
  }
}

State start_new_on_free_ports(const Layout& layout, const Options& options, bool made_directory,
                              const Log& log) {
  for (int attempt = 1; attempt < kPortAttempts; ++attempt) {
    try {
      return start_new(layout, options, made_directory, log);
    } catch (const PortTaken& e) {
      log(fmt::format("a port was taken meanwhile, trying others: {}", e.what()));
    }
  }
  return start_new(layout, options, made_directory, log);
}

}  // namespace

ceph::Access Sandbox::access() const { return access_of(layout_); }

Sandbox Sandbox::up(const Options& options, const Log& log) {
  auto begin = Clock::now();
  check(options);
  forget_other_clusters();
  Layout layout = layout_of(options.dir);
  if (std::optional<std::string> reason = unfit_path(layout, options.osds))
    throw usage_error("--dir={}: {}", layout.dir.string(), *reason);
  check_ownership(layout);
  if (look_at(layout) == Finding::foreign) refuse_foreign(layout);
  check_programs(options.rgw);

  DirectoryLock lock = DirectoryLock::take(layout, kLockPatience, log);
  if (look_at(layout) == Finding::foreign) refuse_foreign(layout);
  bool made_directory = lock.made_directory();
  if (std::optional<State> old = load(layout)) {
    if (old->phase == Phase::running) {
      start_ended_daemons(layout, *old, log);
      return {layout, *old};
    }
    log("leftovers of a sandbox that didn't come up or go down completely: removing them");
    made_directory = old->created_directory;
    clear(layout, *old, log);
  }
  try {
    Sandbox sandbox(layout, start_new_on_free_ports(layout, options, made_directory, log));
    sandbox.started_now_ = true;
    sandbox.state_.up_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    save(sandbox.state_, layout);
    return sandbox;
  } catch (...) {
    if (look_at(layout) == Finding::absent) remove_directory(layout, made_directory);
    throw;
  }
}

std::optional<Sandbox> Sandbox::find(const fs::path& dir) {
  forget_other_clusters();
  Layout layout = layout_of(dir);
  check_ownership(layout);
  std::optional<State> state = load(layout);
  if (!state || state->phase != Phase::running) return {};
  return Sandbox(layout, *state);
}

bool Sandbox::down(const fs::path& dir, const Log& log) {
  Layout layout = layout_of(dir);
  check_ownership(layout);
  std::error_code error;
  if (!fs::exists(layout.dir, error) || fs::is_empty(layout.dir, error)) return false;
  if (look_at(layout) == Finding::foreign) refuse_foreign(layout);
  DirectoryLock lock = DirectoryLock::take(layout, kLockPatience, log);
  if (look_at(layout) == Finding::foreign) refuse_foreign(layout);
  std::optional<State> state = load(layout);
  if (state) clear(layout, *state, log);
  remove_directory(layout, state ? state->created_directory : lock.made_directory());
  return state.has_value();
}

std::vector<DaemonStatus> Sandbox::daemons() const {
  std::vector<DaemonStatus> all;
  for (const Daemon& daemon : state_.daemons) {
    DaemonStatus status{.name = daemon.name,
                        .process = daemon.process,
                        .running = is_running(daemon.process),
                        .wanted = daemon.wanted,
                        .port = daemon.port};
    // It may end between the two: then it has no memory any more.
    if (status.running)
      if (auto memory = hosts::read_memory_status(daemon.process.pid))
        status.resident_bytes = memory->rss_bytes;
    all.push_back(status);
  }
  return all;
}

bool Sandbox::all_running() const {
  std::vector<DaemonStatus> all = daemons();
  return std::all_of(all.begin(), all.end(), [](const DaemonStatus& d) { return d.running; });
}

Daemon& Sandbox::daemon(const std::string& name) {
  // What another lab did to it meanwhile counts.
  std::optional<State> now = load(layout_);
  if (!now || now->token != state_.token)
    throw environment_error("{}: this sandbox is gone", layout_.dir.string());
  state_ = *now;
  Daemon* found = state_.daemon(name);
  if (!found) {
    std::vector<std::string> names;
    for (const Daemon& each : state_.daemons) names.push_back(each.name);
    throw usage_error("{}: this sandbox has no daemon \"{}\", only {}", layout_.dir.string(), name,
                      join(names, ", "));
  }
  return *found;
}

Daemon Sandbox::definition(const std::string& name) { return daemon(name); }

void Sandbox::redefine(const std::string& name, const std::function<void(Daemon&)>& change) {
  DirectoryLock lock = DirectoryLock::take(layout_, kLockPatience, [](const std::string&) {});
  change(daemon(name));
  save(state_, layout_);
}

void Sandbox::restart_daemon(const std::string& name) {
  DirectoryLock lock = DirectoryLock::take(layout_, kLockPatience, [](const std::string&) {});
  Daemon& target = daemon(name);
  remember_cpus(target);
  save(state_, layout_);
  end_processes(find_processes(target, state_), kGrace);
  fail_point("daemon ended");
  start(target, state_, layout_);
  fail_point("daemon started");
  wait_until_up(target, layout_);
}

void Sandbox::stop_daemon(const std::string& name, milliseconds grace) {
  DirectoryLock lock = DirectoryLock::take(layout_, kLockPatience, [](const std::string&) {});
  Daemon& target = daemon(name);
  remember_cpus(target);
  target.wanted = false;
  save(state_, layout_);
  if (grace.count() == 0)
    kill_process(target.process);
  else
    end_process(target.process, grace);
}

bool Sandbox::has_store(const std::string& name) { return sandbox::has_store(osd(name), layout_); }

void Sandbox::destroy_store(const std::string& name) {
  DirectoryLock lock = DirectoryLock::take(layout_, kLockPatience, [](const std::string&) {});
  if (is_running(daemon(name).process))
    throw environment_error("{} runs: its store can only be destroyed when it is stopped", name);
  sandbox::destroy_store(osd(name), layout_, *ceph::Cluster::connect(access_of(layout_)));
}

void Sandbox::make_store(const std::string& name) {
  DirectoryLock lock = DirectoryLock::take(layout_, kLockPatience, [](const std::string&) {});
  const int number = osd(name);
  sandbox::make_store(number, layout_, state_, *ceph::Cluster::connect(access_of(layout_)));
}

int Sandbox::osd(const std::string& name) {
  const auto number = osd_number(daemon(name).name);
  if (!number) throw usage_error("{} is no OSD, and only OSDs have a store", name);
  return *number;
}

void Sandbox::start_daemon(const std::string& name) {
  DirectoryLock lock = DirectoryLock::take(layout_, kLockPatience, [](const std::string&) {});
  Daemon& target = daemon(name);
  if (is_running(target.process)) return;
  start(target, state_, layout_);
  wait_until_up(target, layout_);
}

}  // namespace lab::sandbox
