// `lab run` from what was asked to the exit status.
#pragma once

#include <string>

#include "runner/base/error.h"
#include "runner/experiment/request.h"

namespace lab {

struct RunOptions {
  fs::path out = "results";
  bool resume = false;
  bool dry_run = false;
  bool keep_sandbox = false;
  bool terminal = false;  // stderr is one
  std::string format = "table";
  size_t width = 0;               // of the terminal on stdout, columns; 0: as wide as it gets
  bool colours = false;           // on stdout
  std::vector<std::string> argv;  // as the result keeps it
};

// Throws lab::Error for whatever kept it from measuring.
Exit run_command(const RunRequest& request, const RunOptions& options);

}  // namespace lab
