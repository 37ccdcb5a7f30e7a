// Hours of load: what each service's memory did, what clients got, and what happened when. From the
// raw files of all segments of a cell.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/growth.h"
#include "analysis/table.h"
#include "results/reader.h"

namespace lab::analysis {

struct ServiceMemory {
  double first_bytes = 0, last_bytes = 0, peak_bytes = 0;  // VmRSS
  uint64_t restarts = 0;
  // Bytes, of what came after the warm-up and after its last start; none: too short.
  std::optional<stats::Growth> growth;
};

struct SoakEvent {
  std::string time;  // ISO 8601, UTC: of the segment's end
  std::string code;  // as of marks
  std::string text;
};

struct SoakCell {
  results::Cell cell;
  size_t segments = 0;
  size_t planned = 0;
  size_t failed = 0;
  double hours = 0;                                 // of load
  double warmup_hours = 0;                          // that growth leaves out
  std::optional<double> write_iops, read_iops;      // means over the segments
  std::optional<double> write_p99_ms, read_p99_ms;  // of all histograms together
  uint64_t errors = 0;
  std::map<std::string, ServiceMemory> services;
  std::vector<SoakEvent> events;
  std::vector<size_t> marks;  // indexes of SoakSummary::table.marks
};

struct SoakSummary {
  Table table;  // of the job's own figures
  std::vector<SoakCell> cells;
  std::vector<std::string> warnings;  // of what could not be read
};

// Throws lab::Error (Exit::usage) for a directory that holds no soak.
SoakSummary load_soak(const results::ResultReader& reader);

// "grows by 12.1 MB/h (10.4 to 13.8)", "no growth beyond 0.8 MB/h".
std::string growth_text(const std::optional<stats::Growth>& growth);

OrderedJson to_json(const SoakSummary& summary);
// Replaces summary.json of the directory.
void write_soak_summary(const fs::path& directory);

// One segment in a line: "rss_mb osd.0 812 osd.1 798; w 1380 r 10900 IOPS, p99 w 12 r 9 ms, 0
// errors".
std::string segment_text(const fs::path& folder, const RunFigures& figures);

}  // namespace lab::analysis
