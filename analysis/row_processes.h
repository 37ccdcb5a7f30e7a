// The OSDs' processes behind a row of the table: which malloc they ran with, what it was limited
// to, and how much memory they took.
#pragma once

#include <optional>
#include <string>

#include "analysis/table.h"

namespace lab::analysis {

struct RowProcesses {
  // "libjemalloc2 5.3.0-1"; several, by comma, where OSDs or repetitions differ; empty if nothing
  // was recorded.
  std::string allocator_version;
  std::optional<double> thread_cache_bytes;  // limit of tcmalloc's; none: no tcmalloc, or several
  // Over all OSDs and usable repetitions, in bytes.
  std::optional<double> mean_rss;  // at the end of the run
  std::optional<double> peak_rss;  // the highest of all while a run went on
};

RowProcesses row_processes(const Table& table, const TableRow& row);

}  // namespace lab::analysis
