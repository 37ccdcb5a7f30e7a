// Single lines of `perf script`. All pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::analysis::profile {

// "ceph-osd 12/34 [001] 344.820908: 2004008 cpu-clock: …". Views into the line.
struct PerfHeader {
  std::string_view comm;  // name of the thread; may hold blanks
  std::string_view pid;   // empty: only the thread's id is told
  std::string_view tid;
  std::string_view event;  // without its colon; empty: not told
  std::string_view rest;   // after the event: the only frame, where no stacks were recorded
};

std::optional<PerfHeader> parse_perf_header(std::string_view line);

// The function's name of "    1296 work::spin+0x28 (/usr/bin/busy)"; what has none is called
// by where it is, "[unknown] (libc.so.6)". None if the line is no frame.
std::optional<std::string> parse_perf_frame(std::string_view line);

}  // namespace lab::analysis::profile
