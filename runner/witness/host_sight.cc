#include "runner/witness/host_sight.h"

#include <array>
#include <charconv>

#include "runner/base/file.h"
#include "runner/base/text.h"

namespace lab::witness {
namespace {

uint64_t number(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

unsigned count_osds() {
  unsigned count = 0;
  std::error_code gone;
  for (fs::directory_iterator process("/proc", gone), end; !gone && process != end;
       process.increment(gone)) {
    const std::string name = process->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (trim(read_file_or_empty(process->path() / "comm")) == "ceph-osd") ++count;
  }
  return count;
}

}  // namespace

void read_vmstat(std::string_view text, HostSight& sight) {
  for (const std::string& line : split(text, '\n')) {
    const std::string_view row = line;
    const size_t space = row.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string_view name = row.substr(0, space);
    const uint64_t value = number(row.substr(space + 1));
    if (name == "pswpin") sight.pages_swapped_in = value;
    if (name == "pswpout") sight.pages_swapped_out = value;
    if (name == "oom_kill") sight.oom_kills = value;
  }
}

void read_cpu_line(std::string_view proc_stat, HostSight& sight) {
  // cpu  user nice system idle iowait irq softirq steal guest guest_nice; the last two are in
  // user and nice already.
  if (!proc_stat.starts_with("cpu ")) return;
  std::array<uint64_t, 8> ticks{};
  size_t at = 0;
  for (const std::string& field : split(proc_stat.substr(4, proc_stat.find('\n') - 4), ' ')) {
    if (field.empty()) continue;
    if (at == ticks.size()) break;
    ticks[at++] = number(field);
  }
  sight.cpu_ticks = 0;
  for (uint64_t each : ticks) sight.cpu_ticks += each;
  sight.idle_ticks = ticks[3] + ticks[4];
  sight.stolen_ticks = ticks[7];
}

HostSight look_at_host() {
  HostSight sight;
  read_vmstat(read_file_or_empty("/proc/vmstat"), sight);
  read_cpu_line(read_file_or_empty("/proc/stat"), sight);
  sight.osds_here = count_osds();
  return sight;
}

}  // namespace lab::witness
