// The memory of a process as its cgroup counts it, where it has one to itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runner/base/file.h"
#include "runner/base/process.h"

namespace lab::sampling {

// Path of a process's cgroup with the memory controller, below the hierarchy's root, of the text
// of /proc/PID/cgroup: "/memory/system.slice/x.service" for version 1, which is mounted there,
// "/system.slice/x.service" for version 2. None if it is in the root, or outside of what this
// process sees.
std::optional<fs::path> memory_cgroup(std::string_view text);

// "anon" of a memory.stat of version 2, "rss" of version 1: anonymous memory in bytes.
std::optional<uint64_t> parse_cgroup_anon(std::string_view text);

// The memory.stat that counts this process alone: all processes of its cgroup are itself, those
// that it has started, and those that have started it, as the init of a container has. None if
// there are others, whose memory would be counted as its own, or no such file.
std::optional<fs::path> own_memory_stat(const ProcessId& process);

}  // namespace lab::sampling
