#include "runner/daemons/systemd_driver.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "engines/ceph/admin_socket.h"
#include "runner/base/error.h"
#include "runner/base/fail_point.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
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
constexpr size_t kMostOutput = size_t{1} << 20;

struct Kind {
  std::string_view daemon;  // as lab's names begin
  std::string_view unit;    // as the units' names do
};
// A gateway's instance has the whole of its client's name: "rgw.a" of client.rgw.a.
constexpr std::array<Kind, 4> kKinds = {{{"osd.", "ceph-osd@"},
                                         {"mon.", "ceph-mon@"},
                                         {"mgr.", "ceph-mgr@"},
                                         {"rgw.", "ceph-radosgw@rgw."}}};

Json ask(const fs::path& socket, const std::string& command) {
  const std::string answer = ceph::admin_socket_command(socket.string(), command, kAnswer);
  Json parsed = Json::parse(answer, nullptr, false);
  if (parsed.is_discarded())
    throw environment_error("{}: no JSON in the answer to {}", socket.string(), command);
  return parsed;
}

// Where a process answers; empty if it doesn't yet.
fs::path socket_of(pid_t pid) {
  for (const std::string& path : hosts::listening_unix_sockets(pid))
    if (path.ends_with(".asok")) return path;
  return {};
}

std::string last_words(const Unit& unit) {
  if (unit.invocation.empty()) return "";
  Command command;
  command.argv = {"journalctl",   "--quiet",     "--no-pager",
                  "--output=cat", "--lines=200", "_SYSTEMD_INVOCATION_ID=" + unit.invocation};
  return last_lines(run_command(command, seconds(30)).out, 5);
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
    if (socket.empty()) return true;
    return ask(socket, R"({"prefix": "config get", "var": "fsid"})").value("fsid", fsid_) == fsid_;
  } catch (const Error&) {
    // One that doesn't answer is not left out in silence: what needs it will say so.
    return true;
  }
}

std::vector<std::string> SystemdDriver::daemons() {
  std::vector<std::string> patterns;
  for (const Kind& kind : kKinds) patterns.push_back(fmt::format("{}*.service", kind.unit));
  std::vector<std::string> names;
  for (const std::string& name : loaded_units(patterns)) {
    const std::string daemon = daemon_of(name);
    if (!daemon.empty() && belongs(read_unit(name))) names.push_back(daemon);
  }
  return names;
}

Unit SystemdDriver::unit(const std::string& daemon) const {
  Unit unit = read_unit(unit_of(daemon));
  if (unit.loaded != "loaded")
    throw usage_error("{}: systemd has no unit {} ({}) on this host", daemon, unit.name,
                      unit.loaded);
  if (unit.commands.size() != 1)
    throw environment_error("{}: {} has {} start commands, and lab knows to replace one only",
                            daemon, unit.name, unit.commands.size());
  return unit;
}

DropIn SystemdDriver::drop_in(const std::string& daemon) const {
  return DropIn(kDropIns, unit_of(daemon));
}

Environment SystemdDriver::environment(const std::string& daemon) {
  const DropIn drop_in = this->drop_in(daemon);
  // The file, not what the manager has read of it, tells what lab adds.
  Unit unit = this->unit(daemon);
  const Addition addition = drop_in.read();
  Environment environment = next_environment(unit, drop_in.variables());
  for (const auto& [name, value] : addition.set) environment[name] = value;
  for (const std::string& name : addition.unset) environment.erase(name);
  return environment;
}

void SystemdDriver::change(const std::string& daemon, const Addition& addition) {
  drop_in(daemon).write(addition);
  run_checked({.argv = {"systemctl", "daemon-reload"}}, seconds(60));
  fail_point("units read anew");
}

void SystemdDriver::set_variable(const std::string& daemon, const std::string& variable,
                                 const std::optional<std::string>& value) {
  Unit unit = this->unit(daemon);
  const DropIn drop_in = this->drop_in(daemon);
  Addition addition = drop_in.read();
  addition.set.erase(variable);
  addition.unset.erase(variable);
  // What the unit has without lab: what lab had it take away is there again.
  std::erase_if(unit.unset_environment, [&](const std::string& name) { return name == variable; });
  const Environment found = next_environment(unit, drop_in.variables());
  const auto at = found.find(variable);
  const std::optional<std::string> without =
      at == found.end() ? std::nullopt : std::optional(at->second);
  if (value != without) {
    if (value)
      addition.set[variable] = *value;
    else
      addition.unset.insert(variable);
  }
  change(daemon, addition);
}

std::string SystemdDriver::program(const std::string& daemon) {
  const Addition addition = drop_in(daemon).read();
  return addition.command.empty() ? unit(daemon).commands[0][0] : addition.command[0];
}

void SystemdDriver::set_program(const std::string& daemon, const std::string& program) {
  const fs::path path = program_path(program);
  if (!path.is_absolute()) throw usage_error("{}: there is no program {}", daemon, program);
  const Unit unit = this->unit(daemon);
  Addition addition = drop_in(daemon).read();
  const std::string found = addition.command.empty() ? unit.commands[0][0] : addition.found_program;
  if (path == found) {
    addition.command.clear();
    addition.found_program.clear();
  } else {
    if (addition.command.empty()) addition.command = unit.commands[0];
    addition.command[0] = path.string();
    addition.found_program = found;
  }
  change(daemon, addition);
}

void SystemdDriver::check_settled(const std::string& daemon) {
  const Unit unit = this->unit(daemon);
  // What a lab that was killed has left is taken away before anybody comes here.
  std::vector<std::string> unread;
  for (const fs::path& path : unread_drop_ins(unit, unit_directories()))
    unread.push_back(path.string());
  if (unit.needs_reload || !unread.empty())
    throw environment_error(
        "{}: files of {} were changed since systemd has read them{}{}, and its next start would "
        "bring that in, too: run systemctl daemon-reload, restart it, and measure then",
        daemon, unit.name, unread.empty() ? "" : ": ", first_few(unread, 3));
}

bool SystemdDriver::works(const std::string& daemon, const Unit& unit) const {
  const fs::path socket = socket_of(unit.pid);
  if (socket.empty()) return false;
  try {
    if (daemon.starts_with("osd."))
      return ask(socket, R"({"prefix": "status"})").value("state", "") == "active";
    if (daemon.starts_with("mon.")) {
      const std::string state = ask(socket, R"({"prefix": "mon_status"})").value("state", "");
      return state == "leader" || state == "peon";
    }
    ask(socket, R"({"prefix": "version"})");
    return true;
  } catch (const Error&) {
    return false;
  }
}

void SystemdDriver::restart(const std::string& daemon) {
  const std::string name = unit(daemon).name;
  // The packages' units allow three starts in half an hour; counted anew from here.
  run_command({.argv = {"systemctl", "reset-failed", name}}, seconds(30));
  fail_point("before the unit's restart");
  const Finished restarted = run_command({.argv = {"systemctl", "restart", name}}, kRestart);
  fail_point("after the unit's restart");
  const auto deadline = Clock::now() + kUp;
  for (;;) {
    const Unit now = read_unit(name);
    if (now.active == "failed" || now.active == "inactive" || restarted.status != 0)
      throw environment_error("{}: {} does not start ({}): {}", daemon, name, now.result,
                              restarted.status ? last_lines(restarted.err, 2) : last_words(now));
    // "activating" is also the pause before the next try of one that ends again and again.
    if (now.active == "activating" && now.result != "success")
      throw environment_error("{}: {} ended after its start ({}): {}", daemon, name, now.result,
                              last_words(now));
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
  const fs::path socket = socket_of(pid);
  if (socket.empty()) throw environment_error("{}: process {} has no admin socket", daemon, pid);
  return socket;
}

std::string SystemdDriver::error_output(const std::string& daemon) {
  const Unit unit = this->unit(daemon);
  if (unit.invocation.empty()) return "";
  std::string text = run_checked({.argv = {"journalctl", "--quiet", "--no-pager", "--output=cat",
                                           "_SYSTEMD_INVOCATION_ID=" + unit.invocation}},
                                 seconds(60));
  if (text.size() > kMostOutput) text.erase(0, text.size() - kMostOutput);
  return text;
}

OrderedJson SystemdDriver::address() { return {{"systemd", {{"fsid", fsid_}}}}; }

}  // namespace lab::daemons
