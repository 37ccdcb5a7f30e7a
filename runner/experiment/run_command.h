// `lab run` and `lab recovery` from what was asked to the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/table.h"
#include "runner/experiment/request.h"

namespace lab {

struct RunOptions {
  fs::path out = "results";
  bool resume = false;
  bool dry_run = false;
  bool keep_sandbox = false;
  std::string confirmed_fsid;     // of a production cluster that may be disturbed
  bool terminal = false;          // stderr is one
  std::vector<std::string> argv;  // as the result keeps it
};

struct Measured {
  analysis::Table table;
  fs::path directory;  // of the results
};

// Progress goes to stderr; a dry run prints its plan on stdout and measures nothing. Throws
// lab::Error for whatever kept it from measuring.
std::optional<Measured> run_command(const RunRequest& request, const RunOptions& options);

}  // namespace lab
