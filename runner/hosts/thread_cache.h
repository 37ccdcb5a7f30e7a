// The limit of gperftools' tcmalloc on all of a process's thread caches together:
// TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES, as asked for and as it came to be in force.
// The variable has no effect on any other allocator, google/tcmalloc among them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lab::hosts {

constexpr const char* kThreadCacheVariable = "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES";

struct ThreadCache {
  uint64_t overall_bytes = 0;
  // An equal share for each thread, held within 512 KiB … 4 MiB: with many threads a small
  // overall limit can't bind. Threads then take shares from each other as they need.
  uint64_t per_thread_bytes = 0;
};

// In force in a running process: the two variables of the library in the process's own
// memory (tcmalloc::ThreadCache::overall_thread_cache_size_ and per_thread_cache_size_;
// Debian's libtcmalloc and libtcmalloc_minimal export both). None if the process uses
// another allocator, or a tcmalloc without these symbols. Throws lab::Error
// (Exit::environment) if the process is gone or not ours to look at.
std::optional<ThreadCache> read_thread_cache(pid_t pid);

// What gperftools 2.2 and later make of the variable's value (none: unset): the number at
// its beginning, whatever follows it, held within 512 KiB … 1 GiB. So "128MB", "128m",
// "0x8000000", "1e8" and "" all end at 512 KiB, -1 and 2 GiB at 1 GiB; unset is 32 MiB.
// Source: gperftools 2.10, src/thread_cache.cc, InitModule and
// set_overall_thread_cache_size. Versions before 2.2 don't read the variable.
uint64_t thread_cache_in_force(std::optional<std::string_view> value);

// Why this value would not be in force as it reads; none if it is plain bytes within the
// limits. For refusing it before anything is restarted.
std::optional<std::string> thread_cache_mistake(std::string_view value);

}  // namespace lab::hosts
