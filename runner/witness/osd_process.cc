#include "runner/witness/osd_process.h"

#include "runner/base/error.h"
#include "runner/hosts/allocator.h"
#include "runner/hosts/process_memory.h"
#include "runner/hosts/thread_cache.h"

namespace lab::witness {

std::optional<results::OsdProcess> look_at_process(int osd, pid_t pid, hosts::Packages& packages) {
  const std::optional<hosts::MemoryStatus> memory = hosts::read_memory_status(pid);
  if (!memory) return {};
  results::OsdProcess process;
  process.osd = osd;
  process.rss_bytes = memory->rss_bytes;
  process.peak_rss_bytes = memory->peak_rss_bytes;
  try {
    const hosts::Allocator allocator = hosts::read_allocator(pid);
    process.allocator = allocator.name;
    if (const auto& package = packages.of(allocator.library)) {
      process.package = package->name;
      process.version = package->version;
    }
    if (const auto cache = hosts::read_thread_cache(pid))
      process.thread_cache_bytes = cache->overall_bytes;
  } catch (const Error&) {
    // Ended meanwhile, or another user's: its memory is known, the rest stays empty.
  }
  return process;
}

}  // namespace lab::witness
