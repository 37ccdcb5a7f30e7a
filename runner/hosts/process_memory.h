// How much memory a process has, and had at most, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace lab::hosts {

// Of /proc/PID/status: cheap to read, so fit for sampling. The kernel's counts lag by up
// to some pages a thread (proc(5)).
struct MemoryStatus {
  uint64_t rss_bytes = 0;       // VmRSS
  uint64_t peak_rss_bytes = 0;  // VmHWM: since the start, or since reset_peak_rss
  uint64_t rss_anon_bytes = 0;  // RssAnon: without mapped files and shared memory
  unsigned threads = 0;
};

// None if the text lacks one of them, as that of a zombie or of a kernel thread does. Allocates
// nothing.
std::optional<MemoryStatus> parse_memory_status(std::string_view text);

// Of /proc/PID/smaps_rollup: the kernel walks all page tables for it, some milliseconds for each
// GiB, and holds the lock of the process's memory meanwhile.
struct MemoryRollup {
  uint64_t pss_anon_bytes = 0;         // Pss_Anon: what is shared with others counts in parts
  uint64_t anon_huge_pages_bytes = 0;  // AnonHugePages: as much of it as is in huge pages
};

// None if the text lacks one of them: kernels before 5.3 don't tell Pss_Anon.
std::optional<MemoryRollup> parse_memory_rollup(std::string_view text);

// None if there is no such process (any more).
std::optional<MemoryStatus> read_memory_status(pid_t pid);

// Sets the peak back to what is resident now: without this the peak of a daemon's start
// outlasts every phase that is measured. False if there is no such process, or if it
// belongs to another user.
bool reset_peak_rss(pid_t pid);

}  // namespace lab::hosts
