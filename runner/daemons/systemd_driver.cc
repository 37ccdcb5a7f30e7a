#include "runner/daemons/systemd_driver.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "engines/ceph/admin_socket.h"
#include "runner/base/error.h"
#include "runner/base/fail_point.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/hosts/process_environment.h"
#include "runner/hosts/unix_sockets.h"

namespace lab::daemons {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr const char* kDropIns = "/run/systemd/system";
constexpr seconds kAnswer{5};
// Of `systemctl restart`: units may take 90 s to stop before they are killed.
constexpr seconds kRestart{240};
// Until it does its work: an OSD may have much to replay.
constexpr seconds kUp{300};

struct Kind {
  std::string_view daemon;  // as lab's names begin
  std::string_view unit;    // as the units' names do
};
// A gateway's instance has the whole of its client's name: "rgw.a" of client.rgw.a.
constexpr std::array<Kind, 4> kKinds = {{{"osd.", "ceph-osd@"},
                                         {"mon.", "ceph-mon@"},
                                         {"mgr.", "ceph-mgr@"},
                                         {"rgw.", "ceph-radosgw@rgw."}}};

// One text of an answer; empty if it has none of that name.
std::string ask(const fs::path& socket, const std::string& command, const std::string& key) {
  const std::string answer = ceph::admin_socket_command(socket.string(), command, kAnswer);
  const Json parsed = Json::parse(answer, nullptr, false);
  if (!parsed.is_object())
    throw environment_error("{}: answers {} with what is no object", socket.string(), command);
  const auto found = parsed.find(key);
  return found != parsed.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string fsid_at(const fs::path& socket) {
  return ask(socket, R"({"prefix": "config get", "var": "fsid"})", "fsid");
}

// Where a process answers; empty if it doesn't yet.
fs::path socket_of(pid_t pid) {
  for (const std::string& path : hosts::listening_unix_sockets(pid))
    if (path.ends_with(".asok")) return path;
  return {};
}

// What the unit has said since its last start; of its main process alone where there is one, since
// what runs before it has the same environment, and mallocs and the loader speak there as well.
std::string said_since_start(const Unit& unit) {
  if (unit.invocation.empty()) return "";
  Command command;
  command.argv = {"journalctl", "--quiet", "--no-pager", "--output=cat",
                  "_SYSTEMD_INVOCATION_ID=" + unit.invocation};
  if (unit.pid != 0) command.argv.push_back(fmt::format("_PID={}", unit.pid));
  return run_checked(command, seconds(60));
}

void read_units_anew() {
  run_checked({.argv = {"systemctl", "daemon-reload"}}, seconds(60));
  fail_point("units read anew");
}

// A path that systemd takes as a program, and can start.
void check_program(const std::string& daemon, const fs::path& path) {
  std::error_code error;
  if (!path.is_absolute() || !fs::is_regular_file(path, error) || access(path.c_str(), X_OK) != 0)
    throw usage_error("{}: {} is no program", daemon, path.string());
  for (const char c : path.string())
    if (static_cast<unsigned char>(c) < 0x20 ||
        std::string_view("\"'\\").find(c) != std::string_view::npos)
      throw usage_error(
          "{}: systemd takes no program with quotes, backslashes or control characters in "
          "its path: {}",
          daemon, path.string());
}

bool concerns_malloc(const std::string& variable) {
  return variable == "LD_PRELOAD" || variable.find("MALLOC") != std::string::npos;
}

}  // namespace

std::string unit_of(const std::string& daemon) {
  for (const Kind& kind : kKinds)
    if (daemon.starts_with(kind.daemon) && daemon.size() > kind.daemon.size())
      return fmt::format("{}{}.service", kind.unit, daemon.substr(kind.daemon.size()));
  throw usage_error(
      "{}: no daemon of Ceph that lab knows a unit of; there are osd.N, mon.X, mgr.X and rgw.X",
      daemon);
}

std::string daemon_of(const std::string& unit) {
  constexpr std::string_view tail = ".service";
  if (!unit.ends_with(tail)) return "";
  for (const Kind& kind : kKinds) {
    if (!unit.starts_with(kind.unit)) continue;
    const std::string instance =
        unit.substr(kind.unit.size(), unit.size() - kind.unit.size() - tail.size());
    if (!instance.empty()) return std::string(kind.daemon) + instance;
  }
  return "";
}

SystemdDriver::SystemdDriver(std::string fsid) : fsid_(std::move(fsid)) { check_systemd(); }

bool SystemdDriver::belongs(const Unit& unit) const {
  if (unit.pid == 0) return unit.active != "inactive";
  try {
    const fs::path socket = socket_of(unit.pid);
    return socket.empty() || fsid_at(socket) == fsid_;
  } catch (const Error&) {
    // One that does not answer is not left out in silence: see check_settled.
    return true;
  }
}

std::vector<std::string> SystemdDriver::daemons() {
  if (daemons_) return *daemons_;
  std::vector<std::string> patterns;
  patterns.reserve(kKinds.size());
  for (const Kind& kind : kKinds) patterns.push_back(fmt::format("{}*.service", kind.unit));
  std::vector<std::string> names;
  for (const std::string& name : loaded_units(patterns)) {
    const std::string daemon = daemon_of(name);
    if (!daemon.empty() && belongs(read_unit(name))) names.push_back(daemon);
  }
  daemons_ = names;
  return names;
}

Unit SystemdDriver::unit(const std::string& daemon) const {
  const std::string name = unit_of(daemon);
  Unit unit = read_unit(name);
  // A lab that was killed has left the manager with another state of its drop-in than the file's.
  const fs::path own = drop_in(daemon).configuration();
  std::error_code absent;
  const bool there = fs::exists(own, absent);
  const bool read =
      std::find(unit.drop_ins.begin(), unit.drop_ins.end(), own) != unit.drop_ins.end();
  if (there != read || (there && unit.needs_reload)) {
    read_units_anew();
    unit = read_unit(name);
  }
  if (unit.loaded == "not-found" || unit.loaded == "masked")
    throw usage_error("{}: systemd has no unit {} ({}) on this host", daemon, name, unit.loaded);
  return unit;
}

DropIn SystemdDriver::drop_in(const std::string& daemon) const {
  return DropIn(kDropIns, unit_of(daemon));
}

Environment SystemdDriver::environment(const std::string& daemon) {
  const Unit unit = this->unit(daemon);
  const DropIn drop_in = this->drop_in(daemon);
  Environment environment = next_environment(unit, managers_environment(), drop_in.variables());
  for (const auto& [name, variable] : drop_in.read().variables) {
    if (variable.value)
      environment[name] = *variable.value;
    else
      environment.erase(name);
  }
  return environment;
}

void SystemdDriver::change(const std::string& daemon, const Addition& addition) const {
  if (geteuid() != 0)
    throw environment_error("only root may change units of systemd: run lab as root");
  drop_in(daemon).write(addition);
  read_units_anew();
}

void SystemdDriver::set_variable(const std::string& daemon, const std::string& variable,
                                 const std::optional<std::string>& value) {
  const Unit unit = this->unit(daemon);
  Addition addition = drop_in(daemon).read();
  const auto known = addition.variables.find(variable);
  if (known != addition.variables.end()) {
    known->second.value = value;
    if (value == known->second.found) addition.variables.erase(known);
  } else {
    const auto& unset = unit.unset_environment;
    if (value && std::find(unset.begin(), unset.end(), variable) != unset.end())
      throw environment_error("{}: {} takes {} away (UnsetEnvironment=), so it cannot be set",
                              daemon, unit.name, variable);
    const Environment now = environment(daemon);
    const auto at = now.find(variable);
    const std::optional<std::string> found =
        at == now.end() ? std::nullopt : std::optional(at->second);
    if (value != found) addition.variables[variable] = {value, found};
  }
  change(daemon, addition);
}

std::string SystemdDriver::program(const std::string& daemon) {
  const Unit unit = this->unit(daemon);
  const Addition addition = drop_in(daemon).read();
  if (!addition.command.empty()) return addition.command[0];
  if (unit.starts.size() != 1)
    throw environment_error("{}: {} has {} start commands, and lab knows of one", daemon, unit.name,
                            unit.starts.size());
  return unit.starts[0].command[0];
}

void SystemdDriver::set_program(const std::string& daemon, const std::string& program) {
  const fs::path path = program_path(program);
  const std::string now = this->program(daemon);
  Addition addition = drop_in(daemon).read();
  const std::string found = addition.command.empty() ? now : addition.found_program;
  if (path == found) {
    addition.command.clear();
    addition.found_program.clear();
  } else {
    check_program(daemon, path);
    if (addition.command.empty()) {
      const Unit::Start start = unit(daemon).starts.at(0);
      if (!start.flags.empty())
        throw environment_error("{}: the start command of its unit has {}, which lab would lose",
                                daemon, join(start.flags, ", "));
      addition.command = start.command;
    }
    addition.command[0] = path.string();
    addition.found_program = found;
  }
  change(daemon, addition);
}

void SystemdDriver::check_settled(const std::string& daemon) {
  if (geteuid() != 0)
    throw environment_error("only root may start units of systemd anew: run lab as root");
  const Unit unit = this->unit(daemon);
  if (unit.pid == 0)
    throw environment_error(
        "{}: {} does not run ({}): start it, or stop and reset it (systemctl "
        "reset-failed) if it is not to run here",
        daemon, unit.name, unit.active);
  const fs::path socket = socket_of(unit.pid);
  if (socket.empty() || fsid_at(socket) != fsid_)
    throw environment_error("{}: process {} does not say that it belongs to cluster {}", daemon,
                            unit.pid, fsid_);
  std::vector<std::string> unread;
  for (const fs::path& path : unread_drop_ins(unit, unit_directories()))
    unread.push_back(path.string());
  if (unit.needs_reload || !unread.empty())
    throw environment_error(
        "{}: files of {} were changed since systemd has read them{}{}, and its next start would "
        "bring that in, too: run systemctl daemon-reload, restart it, and measure then",
        daemon, unit.name, unread.empty() ? "" : ": ", first_few(unread, 3));
  check_as_started(daemon, unit);
}

void SystemdDriver::check_as_started(const std::string& daemon, const Unit& unit) {
  const Environment running = hosts::read_environ(unit.pid);
  const Environment next = next_environment(unit, {}, drop_in(daemon).variables());
  std::vector<std::string> changed;
  for (const auto& [name, value] : next) {
    const auto found = running.find(name);
    if (found == running.end() || found->second != value) changed.push_back(name);
  }
  const Environment whole = environment(daemon);
  for (const auto& [name, value] : running)
    if (concerns_malloc(name) && !whole.contains(name)) changed.push_back(name);
  std::error_code error;
  const fs::path exe = fs::read_symlink(fmt::format("/proc/{}/exe", unit.pid), error);
  if (!error && !fs::equivalent(exe, program(daemon), error))
    changed.push_back("its program, which was " + exe.string());
  if (!changed.empty())
    throw environment_error(
        "{}: since it was started, this of it was changed: {}; a restart would bring it "
        "in, too: restart {} first, and measure then",
        daemon, first_few(changed, 4), unit.name);
}

bool SystemdDriver::works(const std::string& daemon, const Unit& unit) const {
  try {
    const fs::path socket = socket_of(unit.pid);
    if (socket.empty()) return false;
    if (daemon.starts_with("osd."))
      return ask(socket, R"({"prefix": "status"})", "state") == "active";
    if (daemon.starts_with("mon.")) {
      const std::string state = ask(socket, R"({"prefix": "mon_status"})", "state");
      return state == "leader" || state == "peon";
    }
    return !fsid_at(socket).empty();
  } catch (const Error&) {
    return false;
  }
}

void SystemdDriver::stop(const std::string& daemon) {
  const std::string name = unit_of(daemon);
  fail_point("before the unit's stop");
  run_checked({.argv = {"systemctl", "stop", name}}, kRestart);
  fail_point("after the unit's stop");
}

void SystemdDriver::destroy_store(const std::string& daemon) {
  throw usage_error(
      "{}: lab does not know how the stores of a package's OSDs were made, and destroys none",
      daemon);
}

void SystemdDriver::make_store(const std::string& daemon) { destroy_store(daemon); }

void SystemdDriver::restart(const std::string& daemon) { bring_up(daemon, "restart"); }

void SystemdDriver::start(const std::string& daemon) {
  if (unit(daemon).pid == 0) bring_up(daemon, "start");
}

void SystemdDriver::bring_up(const std::string& daemon, const std::string& verb) {
  // Also what a lab that was killed has left beside its drop-in.
  change(daemon, drop_in(daemon).read());
  const std::string name = unit_of(daemon);
  // The packages' units allow a few starts in half an hour; counted anew from here.
  run_command({.argv = {"systemctl", "reset-failed", name}}, seconds(30));
  fail_point("before the unit's restart");
  const Finished restarted = run_command({.argv = {"systemctl", verb, name}}, kRestart);
  fail_point("after the unit's restart");
  const auto deadline = Clock::now() + kUp;
  for (;;) {
    const Unit now = read_unit(name);
    // "activating" is also the pause before the next try of one that ends again and again.
    if (restarted.status != 0 || now.active == "failed" || now.active == "inactive" ||
        (now.active == "activating" && now.result != "success")) {
      const std::string said = last_lines(said_since_start(now), 5);
      throw environment_error("{}: {} does not start ({}): {}", daemon, name, now.result,
                              said.empty() ? last_lines(restarted.err, 2) : said);
    }
    if (now.pid != 0 && works(daemon, now)) return;
    if (Clock::now() > deadline)
      throw environment_error("{}: {} runs but isn't up after {} s; see journalctl -u {}", daemon,
                              name, kUp.count(), name);
    interruptible_sleep(milliseconds(200));
  }
}

std::optional<ProcessId> SystemdDriver::process(const std::string& daemon) {
  const pid_t pid = unit(daemon).pid;
  return pid == 0 ? std::nullopt : identify(pid);
}

fs::path SystemdDriver::admin_socket(const std::string& daemon) {
  const pid_t pid = unit(daemon).pid;
  if (pid == 0) throw environment_error("{}: it does not run", daemon);
  fs::path socket = socket_of(pid);
  if (socket.empty()) throw environment_error("{}: process {} has no admin socket", daemon, pid);
  return socket;
}

std::string SystemdDriver::error_output(const std::string& daemon) {
  return last_output(said_since_start(unit(daemon)));
}

OrderedJson SystemdDriver::address() { return address_of(fsid_); }

OrderedJson SystemdDriver::address_of(const std::string& fsid) {
  return {{"systemd", {{"fsid", fsid}}}};
}

}  // namespace lab::daemons
