// `lab run` from what was asked to the table.
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

// Progress goes to stderr; a dry run prints its plan on stdout and has no table. Throws
// lab::Error for whatever kept it from measuring.
std::optional<analysis::Table> run_command(const RunRequest& request, const RunOptions& options);

}  // namespace lab
