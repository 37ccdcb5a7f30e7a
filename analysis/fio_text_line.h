// Single lines of fio's human-readable output, of fio 1.50 to 3.42, as values. What a
// line means for a job is up to import_text.cc. Lines are given without spaces at their
// ends; views point into them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::analysis {

// "rand-write: (g=0): rw=randwrite, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=128":
// printed before the run, one for each section.
struct FioTextStart {
  std::string_view name;
  std::map<std::string, std::string> options;  // rw, bs, ioengine, iodepth
};
std::optional<FioTextStart> parse_fio_start(std::string_view line);

// "rand-write: (groupid=0, jobs=4): err= 0: pid=4711: Mon Nov 30 19:03:14 2026".
struct FioTextHeading {
  std::string_view name;
  unsigned group = 0;
  unsigned jobs = 1;
  int error = 0;
  std::string_view pid;
};
std::optional<FioTextHeading> parse_fio_heading(std::string_view line);

// "write: IOPS=11.8k, BW=46.1MiB/s (48.4MB/s)(924MiB/20021msec); 0 zone resets", and before
// fio 2.17 "write: io=1024.0MB, bw=46184KB/s, iops=11546, runt= 22704msec".
struct FioTextResult {
  std::string_view way;  // "read", "write", "trim", "mixed"
  // None where the text is damaged.
  std::optional<double> iops, bytes_per_s, bytes;
  std::optional<uint64_t> runtime_ms;
};
std::optional<FioTextResult> parse_fio_result(std::string_view line);

// "clat (usec): min=14, max=3027, avg=33.11, stdev=27.29", in nanoseconds.
struct FioTextLatency {
  std::string_view kind;  // "slat", "clat", "lat", "sync", "clat prio 2/0", …
  bool readable = false;  // else the figures are zero
  uint64_t min_ns = 0;
  uint64_t max_ns = 0;
  double mean_ns = 0;
  double stddev_ns = 0;
};
std::optional<FioTextLatency> parse_fio_latency(std::string_view line);

// "clat percentiles (usec):".
struct FioTextPercentiles {
  std::string_view kind;          // as above
  std::optional<double> unit_ns;  // none: unknown unit
};
std::optional<FioTextPercentiles> parse_fio_percentiles_title(std::string_view line);

// "| 1.00th=[   12],  5.00th=[   14]," as percent and value; `damaged` if there is more.
struct FioTextPercentileLine {
  std::vector<std::pair<double, double>> values;
  bool damaged = false;
};
FioTextPercentileLine parse_fio_percentiles(std::string_view line);

// "issued rwts: total=0,7584,0,237 short=0,0,0,0 dropped=0,0,0,0" and three older forms;
// each list is of reads, writes, trims and (from 3.6 on) syncs.
struct FioTextIssued {
  std::vector<uint64_t> total, shorted, dropped;
};
std::optional<FioTextIssued> parse_fio_issued(std::string_view line);

// "WRITE: bw=14.8MiB/s …, io=29.6MiB (31.1MB), run=2003-2003msec" below "Run status group",
// before fio 2.17 "WRITE: io=29.6MB, aggrb=…".
struct FioTextGroupTotal {
  std::string way;  // as in FioTextResult
  double bytes = 0;
};
std::optional<FioTextGroupTotal> parse_fio_group_total(std::string_view line);

}  // namespace lab::analysis
