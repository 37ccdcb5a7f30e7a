#include "analysis/row_processes.h"

#include <algorithm>
#include <set>

#include "runner/base/text.h"

namespace lab::analysis {

RowProcesses row_processes(const Table& table, const TableRow& row) {
  RowProcesses out;
  std::set<std::string> versions;
  std::set<std::optional<uint64_t>> thread_caches;
  double sum = 0;
  size_t count = 0;
  for (const Repetition& repetition : row.repetitions) {
    const RunFigures* run = table.find_run(repetition.run);
    if (!run) continue;
    for (const results::OsdProcess& osd : run->record.osds) {
      if (!osd.allocator.empty()) {
        const std::string version(trim(osd.package + " " + osd.version));
        versions.insert(version.empty() ? osd.allocator : version);
      }
      thread_caches.insert(osd.thread_cache_bytes);
      sum += static_cast<double>(osd.rss_bytes);
      ++count;
      out.peak_rss = std::max(out.peak_rss.value_or(0), static_cast<double>(osd.peak_rss_bytes));
    }
  }
  out.allocator_version = join({versions.begin(), versions.end()}, ", ");
  if (count > 0) out.mean_rss = sum / static_cast<double>(count);
  if (thread_caches.size() == 1 && *thread_caches.begin())
    out.thread_cache_bytes = static_cast<double>(**thread_caches.begin());
  return out;
}

}  // namespace lab::analysis
