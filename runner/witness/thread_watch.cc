#include "runner/witness/thread_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <vector>

#include "runner/base/file.h"
#include "runner/base/text.h"

namespace lab::witness {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kWatchedEnough_s = 2;

double seconds(Clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// A process and those that its main thread has forked, as fio does for its jobs.
std::vector<pid_t> family(pid_t process) {
  std::vector<pid_t> all = {process};
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string children =
        read_file_or_empty(fmt::format("/proc/{0}/task/{0}/children", all[i]));
    for (const std::string& child : split(children, ' '))
      if (const auto pid = number<pid_t>(trim(child))) all.push_back(*pid);
  }
  return all;
}

}  // namespace

std::optional<ThreadStat> parse_thread_stat(std::string_view text) {
  const size_t open = text.find('(');
  // The name may hold anything, brackets too.
  const size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const std::vector<std::string> fields = split(std::string(trim(text.substr(close + 1))), ' ');
  // Fields are counted as in proc(5), where the state, the first after the name, is the third.
  auto field = [&](size_t index) -> std::optional<uint64_t> {
    return index - 3 < fields.size() ? number<uint64_t>(fields[index - 3]) : std::nullopt;
  };
  const auto user = field(14);
  const auto system = field(15);
  const auto start = field(22);
  if (!user || !system || !start) return {};
  return ThreadStat{std::string(text.substr(open + 1, close - open - 1)), *user + *system, *start};
}

void ThreadWatch::observe(pid_t process) {
  const Clock::time_point begin = Clock::now();
  if (begin < next_look_) return;
  const double at_s = seconds(begin);
  for (const pid_t each : family(process)) {
    std::error_code gone;
    for (fs::directory_iterator task(fmt::format("/proc/{}/task", each), gone), end;
         !gone && task != end; task.increment(gone)) {
      const auto thread = number<pid_t>(task->path().filename().string());
      const auto stat = parse_thread_stat(read_file_or_empty(task->path().string() + "/stat"));
      if (thread && stat) add(*thread, *stat, at_s);
    }
  }
  end_look(at_s);
  next_look_ = begin + std::max<Clock::duration>(std::chrono::milliseconds(980),
                                                 100 * (Clock::now() - begin));
}

void ThreadWatch::add(pid_t thread, const ThreadStat& stat, double at_s) {
  const auto [found, is_new] = running_.try_emplace({thread, stat.start_ticks});
  Seen& seen = found->second;
  if (is_new) {
    seen.first_ticks = stat.cpu_ticks;
    seen.first_s = at_s;
  }
  seen.name = stat.name;  // given after the start
  seen.last_ticks = stat.cpu_ticks;
  seen.last_s = at_s;
}

void ThreadWatch::end_look(double at_s) {
  std::erase_if(running_, [&](const auto& entry) {
    if (entry.second.last_s == at_s) return false;
    keep_busier(entry.second, busiest_ended_);
    return true;
  });
}

void ThreadWatch::keep_busier(const Seen& seen, std::optional<BusyThread>& best) const {
  static const double ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double watched_s = seen.last_s - seen.first_s;
  if (watched_s < kWatchedEnough_s) return;
  const double percent =
      100 * static_cast<double>(seen.last_ticks - seen.first_ticks) / ticks_per_s / watched_s;
  if (!best || percent > best->cpu_percent) best = BusyThread{seen.name, percent};
}

std::optional<BusyThread> ThreadWatch::busiest() const {
  std::optional<BusyThread> best = busiest_ended_;
  for (const auto& [unused, seen] : running_) keep_busier(seen, best);
  return best;
}

}  // namespace lab::witness
