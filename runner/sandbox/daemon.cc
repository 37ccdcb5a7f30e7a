#include "runner/sandbox/daemon.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <future>
#include <map>
#include <thread>

#include "runner/base/error.h"
#include "runner/base/fail_point.h"
#include "runner/base/text.h"
#include "runner/hosts/cpu_affinity.h"
#include "runner/hosts/process_environment.h"

namespace lab::sandbox {
namespace {

std::string last_lines(const fs::path& path, size_t count) {
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  std::vector<std::string> lines = split(trim(read_file(path)), '\n');
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<long>(count));
  return join(lines, "\n");
}

}  // namespace

void check_programs(bool rgw) {
  std::map<std::string, std::string> packages = {
      {"ceph-mon", "ceph-mon"},
      {"monmaptool", "ceph-base"},
      {"ceph-mgr", "ceph-mgr"},
      {"ceph-osd", "ceph-osd"},
  };
  if (rgw) {
    packages["radosgw"] = "radosgw";
    packages["radosgw-admin"] = "ceph-common";
  }
  std::vector<std::string> missing;
  std::vector<std::string> wanted;
  for (const auto& [program, package] : packages) {
    if (!find_program(program).empty()) continue;
    missing.push_back(program);
    if (std::find(wanted.begin(), wanted.end(), package) == wanted.end()) wanted.push_back(package);
  }
  if (missing.empty()) return;
  throw environment_error(
      "not found in PATH: {}. A sandbox needs {}; install {} or run ./bootstrap",
      join(missing, ", "), missing.size() == 1 ? "it" : "them", join(wanted, " "));
}

Daemon describe_daemon(const std::string& name, const Layout& layout, const State& state) {
  Daemon daemon;
  daemon.name = name;
  size_t dot = name.find('.');
  std::string kind = name.substr(0, dot);
  std::string id = name.substr(dot + 1);
  std::string conf = layout.conf().string();
  if (kind == "rgw") {
    daemon.argv = {"radosgw", "-f", "-n", "client." + name, "-c", conf};
    daemon.port = state.ports.rgw();
    return daemon;
  }
  daemon.argv = {"ceph-" + kind, "-f", "-i", id, "-c", conf};
  if (kind == "mon") {
    daemon.port = state.ports.mon_v2();
  } else if (kind == "mgr") {
    daemon.port = state.ports.mgr().first;
  } else {
    daemon.port = state.ports.osd(std::stoi(id)).first;
    daemon.environment = state.options.osd_environment;
  }
  return daemon;
}

void start(Daemon& daemon, State& state, const Layout& layout) {
  daemon.process = {};
  daemon.wanted = true;
  save(state, layout);
  Command command = tool(daemon.argv, state);
  command.environment.insert(daemon.environment.begin(), daemon.environment.end());
  command.directory = layout.dir;
  command.output = layout.error_output(daemon.name);
  command.error_output = layout.error_output(daemon.name);
  command.new_session = true;
  // What it says at this start stands alone there.
  std::error_code none_yet;
  fs::rename(command.error_output, command.error_output.string() + ".old", none_yet);
  // Those of the process that it replaces, and not those that lab itself was started on.
  const hosts::OnCpus on(daemon.cpus);
  Child child = Child::start(command);
  fail_point("daemon started: its pid is not written down");
  std::optional<ProcessId> id = identify(child.pid());
  if (!id)
    throw environment_error("{} ended at once: {}", daemon.name, last_words(daemon.name, layout));
  daemon.process = *id;
  daemon.cpus = hosts::read_cpus(child.pid());
  child.detach();
  save(state, layout);
}

bool is_withheld(const std::string& variable) {
  if (variable.ends_with("MALLOC_CONF")) return true;  // prefixed jemallocs have one of their own
  for (std::string_view start : {"CEPH_", "TCMALLOC_", "MALLOC_", "MIMALLOC_", "HEAP_PROFILE_"})
    if (variable.starts_with(start)) return true;
  for (std::string_view whole :
       {"LD_PRELOAD", "GLIBC_TUNABLES", "HEAPPROFILE", "HEAPCHECK", "CPUPROFILE"})
    if (variable == whole) return true;
  return false;
}

Command tool(std::vector<std::string> argv, const State& state) {
  Command command{.argv = std::move(argv)};
  command.withhold = is_withheld;
  command.environment[kTokenVariable] = state.token;
  return command;
}

bool environ_has_token(std::string_view environ, const std::string& token) {
  if (token.empty()) return false;
  const std::map<std::string, std::string> variables = hosts::parse_environ(environ);
  const auto at = variables.find(kTokenVariable);
  return at != variables.end() && at->second == token;
}

std::vector<ProcessId> find_by_token(const std::string& token) {
  std::vector<ProcessId> found;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::string name = entry.path().filename();
    pid_t pid = 0;
    auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad != std::errc{} || end != name.data() + name.size()) continue;
    std::optional<ProcessId> id = identify(pid);
    if (!id) continue;
    // Identified again afterwards: the environment read must be this process's. Another user's
    // can't be read.
    if (environ_has_token(read_file_or_empty(entry.path() / "environ"), token) && is_running(*id))
      found.push_back(*id);
  }
  return found;
}

std::vector<ProcessId> find_processes(const Daemon& daemon, const State& state) {
  std::vector<ProcessId> found;
  for (const ProcessId& process : find_by_token(state.token)) {
    // The program may have been another one, but not what it was told to be.
    const std::vector<std::string> words =
        split(read_file_or_empty(fmt::format("/proc/{}/cmdline", process.pid)), '\0');
    if (words.size() > daemon.argv.size() &&
        std::equal(daemon.argv.begin() + 1, daemon.argv.end(), words.begin() + 1))
      found.push_back(process);
  }
  return found;
}

void remember_cpus(Daemon& daemon) {
  hosts::Cpus cpus = hosts::read_cpus(daemon.process.pid);
  // Identified afterwards: they must be this process's.
  if (is_running(daemon.process)) daemon.cpus = std::move(cpus);
}

void kill_process(const ProcessId& process) {
  while (is_running(process)) {
    kill(process.pid, SIGKILL);
    waitpid(process.pid, nullptr, WNOHANG);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void end_processes(const std::vector<ProcessId>& processes, std::chrono::milliseconds grace) {
  std::vector<std::future<void>> ends;
  ends.reserve(processes.size());
  for (const ProcessId& process : processes)
    if (process.pid > 0)
      ends.push_back(std::async(std::launch::async, [=] { end_process(process, grace); }));
  for (std::future<void>& end : ends) end.get();
}

std::string last_words(const std::string& daemon, const Layout& layout) {
  std::string words = last_lines(layout.error_output(daemon), 8);
  std::string log = last_lines(layout.log(daemon), 12);
  if (!words.empty() && !log.empty()) words += "\n";
  words += log;
  return words.empty() ? "it left no words" : words;
}

}  // namespace lab::sandbox
