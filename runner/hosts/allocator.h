// Which malloc a process uses: told from what is mapped into it, since the environment
// shows what was asked for, also when the loader refused it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/base/file.h"
#include "runner/base/process.h"

namespace lab::hosts {

// A file mapped into a process, as /proc/PID/maps names it.
struct MappedFile {
  fs::path path;
  bool deleted = false;  // replaced on disk since: what is there now isn't what runs

  bool operator==(const MappedFile&) const = default;
};

// Each file once, in the order of the addresses; no pseudo-files like [heap].
std::vector<MappedFile> parse_maps(std::string_view text);

struct Allocator {
  // "glibc", "musl", "jemalloc", "tcmalloc", "tcmalloc_minimal", "mimalloc", … (the
  // library's own name); "unknown" if more than one could be the one.
  std::string name;
  fs::path library;                 // as the process sees it; empty if linked into the program
  bool deleted = false;             // see MappedFile
  bool preloaded = false;           // by LD_PRELOAD
  std::vector<std::string> others;  // further allocators mapped, but not in use
};

// The entries of LD_PRELOAD, which may be separated by colons or spaces.
std::vector<std::string> preload_entries(std::string_view ld_preload);

// By its name: libjemalloc.so.2, or a C library, which is preloaded for its malloc only.
bool is_allocator_library(const fs::path& file);

// `ld_preload` is the value in the process's environment. `in_program` names the
// allocator linked into the program itself, or is empty (see allocator_in_program).
Allocator allocator_of(const std::vector<MappedFile>& files, const std::string& ld_preload,
                       const std::string& in_program);

// The allocator whose messages stand in this part of a program's file; empty if none.
std::string allocator_in_program(std::string_view bytes);

// The allocator that a program on this host starts with when nothing is preloaded: among the
// libraries that it needs, in itself, or the C library's. Empty if that can't be told.
std::string linked_allocator(const fs::path& program);
// The libraries of `ldd`'s answer.
std::vector<fs::path> parse_ldd(std::string_view answer);

// Throws lab::Error (Exit::environment) if the process is gone or not ours to look at.
Allocator read_allocator(pid_t pid);

}  // namespace lab::hosts
