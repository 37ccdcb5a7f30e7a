#include "runner/sampling/process_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>

#include "runner/base/error.h"

namespace lab::sampling {
namespace {

// /proc/PID/status has about 1,500 bytes, stat and smaps_rollup fewer. Only one that is in hundreds
// of groups has more before what is looked for here.
using Buffer = std::array<char, 4096>;

// Empty if the process has ended: the kernel then refuses with ESRCH.
std::string_view read_again(const Fd& file, Buffer& buffer) {
  const ssize_t got = pread(file.get(), buffer.data(), buffer.size(), 0);
  return got > 0 ? std::string_view(buffer.data(), static_cast<size_t>(got)) : std::string_view();
}

Fd open_in(const Fd& directory, const char* name, int flags) {
  return Fd(openat(directory.get(), name, flags | O_CLOEXEC));
}

double ticks_per_second() {
  static const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return ticks;
}

// The directory is of one process for ever, and so is what is opened in it.
struct Opened {
  Fd directory;
  Fd stat;
};

std::optional<Opened> open_directory(const ProcessId& process) {
  const Fd proc(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  Opened opened;
  opened.directory = open_in(proc, std::to_string(process.pid).c_str(), O_RDONLY | O_DIRECTORY);
  if (!opened.directory) return {};
  opened.stat = open_in(opened.directory, "stat", O_RDONLY);
  Buffer buffer;
  const auto stat = parse_process_stat(read_again(opened.stat, buffer));
  if (!stat || stat->start_ticks != process.start_ticks) return {};
  return opened;
}

}  // namespace

std::optional<ProcessFiles> ProcessFiles::open(const ProcessId& process) {
  errno = 0;
  std::optional<Opened> opened = open_directory(process);
  Fd status = opened ? open_in(opened->directory, "status", O_RDONLY) : Fd();
  if (!status) {
    if (errno == EMFILE || errno == ENFILE)
      throw environment_error("/proc/{}: {}: raise the limit of open files (ulimit -n)",
                              process.pid, strerror(errno));
    return {};
  }
  ProcessFiles files(process, std::move(status), std::move(opened->stat));
  if (!files.read()) return {};
  return files;
}

std::optional<ProcessFiles::Reading> ProcessFiles::read() const {
  Buffer buffer;
  // A zombie has a status, but no memory in it.
  const auto memory = hosts::parse_memory_status(read_again(status_, buffer));
  if (!memory) return {};
  const auto stat = parse_process_stat(read_again(stat_, buffer));
  if (!stat) return {};
  const double cpu_ms = static_cast<double>(stat->cpu_ticks) * 1000 / ticks_per_second();
  return Reading{*memory, static_cast<uint64_t>(cpu_ms)};
}

Peak set_back_peak(const ProcessId& process) {
  const std::optional<Opened> opened = open_directory(process);
  if (!opened) return Peak::ended;
  const Fd file = open_in(opened->directory, "clear_refs", O_WRONLY);
  if (file && write(file.get(), "5", 1) == 1) return Peak::set_back;
  return errno == ESRCH || errno == ENOENT ? Peak::ended : Peak::refused;
}

std::optional<hosts::MemoryRollup> read_memory_rollup(const ProcessId& process) {
  const std::optional<Opened> opened = open_directory(process);
  if (!opened) return {};
  const Fd file = open_in(opened->directory, "smaps_rollup", O_RDONLY);
  Buffer buffer;
  return hosts::parse_memory_rollup(read_again(file, buffer));
}

double boot_time_s() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

bool started_before(const ProcessId& process, double boot_time_s) {
  return static_cast<double>(process.start_ticks) / ticks_per_second() < boot_time_s;
}

}  // namespace lab::sampling
