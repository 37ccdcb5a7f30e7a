// The options that say how an OSD fails and how long the phases of its recovery are: of
// `lab recovery`, and of `lab validate`, which makes recoveries.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "runner/recovery/request.h"

namespace lab::cli {

struct RecoveryOptions {
  std::string method = "stop";
  int osd = -1;
  std::string host;
  std::string baseline = "30s";
  std::string failure = "10s";
  std::string clean = "30s";
  std::string cool_down = "30s";
  std::string limit = "1h";

  // Declares them; the object must outlive `app`. Their names, for --resume, which takes them from
  // the results instead.
  std::vector<std::string> declare(CLI::App& app);
  // After parsing. Throws lab::Error (Exit::usage).
  recovery::Request request() const;
};

}  // namespace lab::cli
