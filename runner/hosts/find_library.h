// Where on this host the library of an allocator is, so that it can be preloaded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runner/base/file.h"

namespace lab::hosts {

// `level` is "glibc", "tcmalloc", "tcmalloc-minimal", "jemalloc", "mimalloc", or an absolute path,
// which is given back if a file is there. The name is that of the loader's own cache, with the
// soname (/usr/lib/x86_64-linux-gnu/libtcmalloc.so.4): it outlasts the package's next
// version, and needs no -dev package. Throws lab::Error: Exit::environment if it isn't
// installed, with the Debian package that has it; Exit::usage for another level.
fs::path find_library(const std::string& level);

// The file named `stem`.so.N with the highest N among the lines of `ldconfig -p` that are
// for this machine's 64-bit programs; none if there is none.
std::optional<fs::path> library_in_cache(std::string_view ldconfig_output, std::string_view stem);

// What allocator_of calls the library of a level: "tcmalloc_minimal" of "tcmalloc-minimal".
std::string library_name(std::string level);

}  // namespace lab::hosts
