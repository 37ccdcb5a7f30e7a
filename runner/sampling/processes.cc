#include "runner/sampling/processes.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/daemons/unit.h"

namespace lab::sampling {
namespace {

// The pid that the whole text is, blanks around it aside; 0 if it is none.
pid_t pid_of(std::string_view text) {
  text = trim(text);
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  return error == std::errc{} && end == text.data() + text.size() && pid > 0 ? pid : 0;
}

std::optional<ProcessId> by_pid_file(const fs::path& file) {
  std::error_code absent;
  if (!fs::exists(file, absent)) return {};
  const std::string text = read_file(file);
  if (trim(text).empty()) return {};  // it is being written
  const pid_t pid = pid_of(text);
  if (pid == 0) throw usage_error("{}: holds no process number", file.string());
  return identify(pid);
}

std::optional<ProcessId> by_unit(const std::string& unit) {
  const pid_t pid = daemons::read_unit(unit).pid;
  return pid == 0 ? std::nullopt : identify(pid);
}

std::optional<ProcessId> by_command(const std::string& command) {
  std::vector<ProcessId> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    const pid_t pid = pid_of(entry.path().filename().string());
    if (pid == 0 || pid == getpid()) continue;
    try {
      if (!has_command(read_file(entry.path() / "cmdline"), command)) continue;
    } catch (const Error&) {
      continue;  // it has ended
    }
    if (const auto process = identify(pid)) found.push_back(*process);
  }
  if (found.empty()) return {};
  if (found.size() == 1) return found[0];
  std::vector<std::string> pids;
  pids.reserve(found.size());
  for (const ProcessId& process : found) pids.push_back(std::to_string(process.pid));
  throw usage_error(
      "\"command\": \"{}\" is that of {} processes: {}; name one by more of its command line, by "
      "\"pid_file\" or by \"unit\"",
      command, found.size(), first_few(pids, 5));
}

}  // namespace

bool has_command(std::string_view cmdline, const std::string& command) {
  const std::string_view program = cmdline.substr(0, cmdline.find('\0'));
  if (program.empty()) return false;
  if (program.substr(program.rfind('/') + 1) == command) return true;
  std::string line(cmdline);
  std::replace(line.begin(), line.end(), '\0', ' ');
  return line.starts_with(command);
}

std::optional<ProcessId> find_process(const NamedProcess& process) {
  if (!process.pid_file.empty()) return by_pid_file(process.pid_file);
  if (!process.unit.empty()) return by_unit(process.unit);
  return by_command(process.command);
}

std::vector<Subject> subjects_of(const std::vector<NamedProcess>& processes) {
  std::vector<Subject> subjects;
  subjects.reserve(processes.size());
  for (const NamedProcess& process : processes)
    subjects.push_back(
        {process.name, [process] { return find_process(process); }, {}, process.metrics});
  return subjects;
}

}  // namespace lab::sampling
