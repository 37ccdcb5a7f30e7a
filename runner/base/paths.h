// Where lab's own files are, found relative to the running program, so that a
// build tree, an installation and a copy of it elsewhere all work alike:
//
//   ROOT/lab or ROOT/bin/lab    the program
//   ROOT/lib/lab/               the fio ioengines
//   ROOT/share/lab/jobs/        job files, jobs/matrices/
#pragma once

#include <string>
#include <string_view>

#include "runner/base/file.h"

namespace lab {

// The root that belongs to a program at `program`: its own directory, the one
// above, or (test programs of the build tree) the one above that, whichever
// has both lib/lab and share/lab. Throws lab::Error (Exit::environment) naming
// the places that were tried.
fs::path find_root(const fs::path& program);

// Of the running program, absolute and without symbolic links: fio wants the
// absolute path of an engine. Throw as find_root.
fs::path engine_dir();
fs::path share_dir();

// A file that the user names: a path (with a slash, or ending in .json), or the name of one of
// the .json files that lab ships in `directory`. Throws lab::Error (Exit::usage) beginning with
// the option, with the nearest `kind` and all that there are.
fs::path find_shipped(std::string_view option, std::string_view kind, const std::string& name,
                      const fs::path& directory);

}  // namespace lab
