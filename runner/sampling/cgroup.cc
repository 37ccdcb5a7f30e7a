#include "runner/sampling/cgroup.h"

#include <charconv>
#include <vector>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::sampling {
namespace {

constexpr const char* kRoot = "/sys/fs/cgroup";
// More than a daemon with its helpers are a crowd, and no cgroup of its own.
constexpr size_t kMostProcesses = 16;
constexpr int kMostParents = 64;

bool has_word(std::string_view list, std::string_view word) {
  for (const std::string& each : split(list, ','))
    if (each == word) return true;
  return false;
}

pid_t parent_of(pid_t pid) {
  try {
    const auto stat = parse_process_stat(read_file(fmt::format("/proc/{}/stat", pid)));
    return stat ? stat->parent : 0;
  } catch (const Error&) {
    return 0;  // it has ended
  }
}

bool descends_from(pid_t pid, pid_t ancestor) {
  for (int i = 0; i < kMostParents && pid > 1; ++i) {
    if (pid == ancestor) return true;
    pid = parent_of(pid);
  }
  return pid == ancestor;
}

std::vector<pid_t> processes_of(const fs::path& cgroup) {
  const std::string text = read_file(cgroup / "cgroup.procs");
  std::vector<pid_t> pids;
  std::string_view rest = text;
  while (!rest.empty() && pids.size() <= kMostProcesses) {
    const std::string_view line = take_line(rest);
    pid_t pid = 0;  // stays so for one of another pid namespace
    std::from_chars(line.data(), line.data() + line.size(), pid);
    pids.push_back(pid);
  }
  return pids;
}

}  // namespace

std::optional<fs::path> memory_cgroup(std::string_view text) {
  std::optional<fs::path> found;
  while (!text.empty()) {
    // Number of the hierarchy, controllers, path.
    const std::string_view line = take_line(text);
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (path == "/" || path.starts_with("/..")) continue;
    if (has_word(controllers, "memory")) return "/memory" + std::string(path);
    if (controllers.empty()) found = path;
  }
  return found;
}

std::optional<uint64_t> parse_cgroup_anon(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    for (const std::string_view name : {"anon ", "rss "}) {
      uint64_t bytes = 0;
      if (line.starts_with(name) &&
          std::from_chars(line.data() + name.size(), line.data() + line.size(), bytes).ec ==
              std::errc{})
        return bytes;
    }
  }
  return {};
}

std::optional<fs::path> own_memory_stat(const ProcessId& process) {
  try {
    const auto cgroup = memory_cgroup(read_file(fmt::format("/proc/{}/cgroup", process.pid)));
    if (!cgroup) return {};
    const fs::path directory = kRoot + cgroup->string();
    const std::vector<pid_t> pids = processes_of(directory);
    if (pids.size() > kMostProcesses) return {};
    for (const pid_t pid : pids)
      if (pid == 0 || (!descends_from(pid, process.pid) && !descends_from(process.pid, pid)))
        return {};
    fs::path file = directory / "memory.stat";
    if (!fs::exists(file) || !is_running(process)) return {};
    return file;
  } catch (const Error&) {
    return {};  // the process has ended, or this host has no cgroups
  }
}

}  // namespace lab::sampling
