// What daemons tell of themselves, as metrics of samples.csv (results/README.md has their list).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::sampling {

struct Figure {
  std::string metric;
  uint64_t value = 0;

  bool operator==(const Figure&) const = default;
};

// All throw lab::Error (Exit::environment) if the answer is none of its kind.

// Of "dump_mempools": `mempool`, the sum, and `mempool_NAME` for every pool that holds anything.
std::vector<Figure> mempool_figures(std::string_view answer);

// Of "perf dump", the sections "prioritycache" and "prioritycache:NAME" in bytes: `cache_heap`,
// `cache_NAME_committed`, … without the parts by priority. Empty for a daemon without such caches.
// The rest of the answer, hundreds of counters, is passed over.
std::vector<Figure> priority_cache_figures(std::string_view answer);

// Of "heap stats", what tcmalloc keeps where: `heap_used` (by the application),
// `heap_page_heap_free`, `heap_central_free`, `heap_transfer_free`, `heap_thread_free`,
// `heap_metadata`, `heap_physical` (their sum) and `heap_released` (given back).
std::vector<Figure> heap_figures(std::string_view answer);

// Of a Prometheus endpoint: `metrics_rss`, its process_resident_memory_bytes.
std::vector<Figure> resident_figures(std::string_view metrics);

}  // namespace lab::sampling
