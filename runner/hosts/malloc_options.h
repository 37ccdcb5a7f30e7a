// What an allocator said of its options when it started: the proof that a variable was
// read and understood, since both go on with their defaults when it wasn't.
//
//   jemalloc   MALLOC_CONF, and PREFIX_MALLOC_CONF in prefixed builds, which read only that
//              (_RJEM_MALLOC_CONF in programs with tikv-jemallocator). From 5.3 on, with
//              confirm_conf:true among the options, it prints each as it sets it. Complaints
//              come also without, and from older versions.
//   mimalloc   MIMALLOC_NAME for each option, in upper or lower case. With
//              MIMALLOC_VERBOSE=1 it prints all options with the values in force.
//              Complaints come with MIMALLOC_SHOW_ERRORS=1 or verbose only.
//   tcmalloc   says nothing: see thread_cache.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lab::hosts {

struct MallocOptions {
  // By the allocator's own name, e.g. "narenas": "2" or "page_reset": "1". Of jemalloc,
  // those that some source set, as they were asked for: it tells of numbers out of range,
  // but cuts down some of them silently (lg_tcache_max:40 becomes 8 MiB). Of mimalloc all;
  // of a variable for an option it hasn't got, it says nothing: its name is missing here.
  std::map<std::string, std::string> options;
  // Each message once, without the allocator's name in front of it: "Invalid conf pair:
  // x:1", "warning: environment option mimalloc_x has an invalid value.".
  std::vector<std::string> complaints;
};

// From what one start of a process wrote to stderr; lines of others are passed over, and
// what a logger put before the allocator's name is ignored. Nothing found: it printed
// nothing, so nothing is proven.
MallocOptions parse_malloc_options(std::string_view stderr_text);

// What a variable asks for, by the allocator's own names: narenas and background_thread of
// MALLOC_CONF="narenas:4,background_thread:true", page_reset of MIMALLOC_PAGE_RESET. Empty for
// variables of others.
std::map<std::string, std::string> asked_malloc_options(const std::string& variable,
                                                        std::string_view value);

}  // namespace lab::hosts
