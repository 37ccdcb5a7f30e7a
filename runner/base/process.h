// Child processes: argv arrays only, never a shell; every one is waited for or
// identified so that it can be ended later without hitting a stranger.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/file.h"

namespace lab {

// A process as of one moment: pids are reused, the pair with the start time is not.
struct ProcessId {
  pid_t pid = 0;
  uint64_t start_ticks = 0;  // field 22 of /proc/PID/stat, clock ticks since boot

  bool operator==(const ProcessId&) const = default;
};

// Of /proc/PID/stat.
struct ProcessStat {
  char state = 0;  // 'Z' and 'X': it has ended
  pid_t parent = 0;
  uint64_t cpu_ticks = 0;    // in user and kernel mode, of all its threads since its start
  uint64_t start_ticks = 0;  // as in ProcessId
};

// None if the text is none of such a file.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

// The identity of a running process; none if there is none with this pid (or a zombie).
std::optional<ProcessId> identify(pid_t pid);
bool is_running(const ProcessId& id);

// SIGTERM, then SIGKILL after `grace`; returns when the process is gone.
// Never touches another process that got the same pid.
void end_process(const ProcessId& id, std::chrono::milliseconds grace);

struct Command {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // added to lab's own
  // Says which of lab's own variables the child doesn't get; empty: it gets all.
  std::function<bool(const std::string& name)> withhold;
  fs::path directory;          // empty: lab's own
  fs::path output;             // stdout to this file; empty: captured (run) or /dev/null (start)
  fs::path error_output;       // stderr likewise
  bool new_session = false;    // survives lab and its terminal's Ctrl-C
  bool ends_with_lab = false;  // gets SIGTERM when lab dies, however it does: no orphans
};

struct Finished {
  int status = -1;  // exit status, or 128 + signal
  std::string out;
  std::string err;
};

// Runs to the end and captures what was not sent to a file. Throws lab::Error
// (Exit::environment) if the program can't be started or takes longer than `timeout`
// (it is killed then).
Finished run_command(const Command& command, std::chrono::milliseconds timeout);

// As run_command, and any status but 0 is an error that quotes the program's last words.
std::string run_checked(const Command& command, std::chrono::milliseconds timeout);

// A child in its own process group, ended with its object.
class Child {
 public:
  static Child start(const Command& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  Child(const Child&) = delete;
  ~Child();  // kills the group if it still runs

  pid_t pid() const { return pid_; }
  // Exit status if it has ended within `timeout`; none while it runs.
  std::optional<int> wait(std::chrono::milliseconds timeout);
  // SIGINT first (fio then writes what it has), SIGKILL to the group after `grace`.
  int stop(std::chrono::milliseconds grace);
  // Leaves it running for good: a daemon.
  void detach() { pid_ = -1; }

 private:
  explicit Child(pid_t pid) : pid_(pid) {}
  pid_t pid_;
  std::optional<int> status_;
};

// The full path of a program, as execvp would find it; empty if there is none.
fs::path find_program(const std::string& name);

}  // namespace lab
