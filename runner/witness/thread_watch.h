// Is the client itself the limit? Follows the CPU time of every thread of a process and its
// children: one that is busy all the time holds up the I/O, whichever it is (fio's own, librbd's,
// the messenger's).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lab::witness {

// One /proc/PID/task/TID/stat.
struct ThreadStat {
  std::string name;  // what the thread calls itself: "msgr-worker-0"
  uint64_t cpu_ticks = 0;
  uint64_t start_ticks = 0;
};
// None if it is of another form.
std::optional<ThreadStat> parse_thread_stat(std::string_view text);

struct BusyThread {
  std::string name;
  double cpu_percent = 0;  // of one core, while it was watched
};

class ThreadWatch {
 public:
  // Looks once a second at most, and less often where a look takes long (it may cost a hundredth
  // of a core); called as often as one likes.
  void observe(pid_t process);
  // What one look saw of a thread. observe() calls it; apart so that it can be tested.
  void add(pid_t thread, const ThreadStat& stat, double at_s);
  // After all threads of a look: those that were not seen have ended.
  void end_look(double at_s);

  // The busiest thread of those that could be watched for at least two seconds.
  std::optional<BusyThread> busiest() const;

 private:
  struct Seen {
    std::string name;
    uint64_t first_ticks = 0, last_ticks = 0;
    double first_s = 0, last_s = 0;
  };
  void keep_busier(const Seen& seen, std::optional<BusyThread>& best) const;

  std::map<std::pair<pid_t, uint64_t>, Seen> running_;
  std::optional<BusyThread> busiest_ended_;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace lab::witness
