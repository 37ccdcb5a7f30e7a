// The host that fio runs on, as it stands at one moment.
#pragma once

#include <cstdint>
#include <string_view>

namespace lab::witness {

// Counted since the host's start.
struct HostSight {
  uint64_t pages_swapped_in = 0, pages_swapped_out = 0;
  uint64_t oom_kills = 0;  // stays 0 on kernels before 4.13, which don't tell
  // Clock ticks of all CPUs. `idle` also holds those that waited for a disk; `stolen` went to
  // other guests of the hypervisor.
  uint64_t cpu_ticks = 0, idle_ticks = 0, stolen_ticks = 0;
  unsigned osds_here = 0;  // OSD daemons that share this host's cores with fio

  bool operator==(const HostSight&) const = default;
};

// Lines of /proc/vmstat and the first of /proc/stat; what is missing stays as it is.
void read_vmstat(std::string_view text, HostSight& sight);
void read_cpu_line(std::string_view proc_stat, HostSight& sight);

HostSight look_at_host();

}  // namespace lab::witness
