// Reads profiles that people have: finds out which form a file has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/profile.h"
#include "results/csv_line.h"
#include "runner/base/file.h"

namespace lab::analysis::profile {

struct ReadOptions {
  std::string focus;  // only stacks that hold a frame whose name contains this; empty: all
  std::string unit;   // of collapsed stacks: "samples", "bytes"; empty: see collapsed_parser
};

struct ReadProfile {
  Profile profile;
  results::DamagedLines damaged;
};

// One file's text. `file` is named in errors, `process` is what its process is called if it
// tells none. Throws lab::Error (Exit::usage) for what is none of the forms (the text says which
// are understood, and how to come to one from what it seems to be), for a profile without a
// single sample, and for a focus where there are no stacks. Pure.
ReadProfile read_profile_text(std::string_view text, const std::string& file,
                              const std::string& process, const ReadOptions& options = {});

// Files that make one side of a table: processes of the same name are put together. A file
// that tells no process is one, called by its name without folders (with them, where two would
// be alike). Damaged lines are a note each file. Throws as above, for files that count
// different things or were given twice, and Exit::environment for what can't be read.
Profile read_profiles(const std::vector<std::string>& files, const ReadOptions& options = {});

}  // namespace lab::analysis::profile
