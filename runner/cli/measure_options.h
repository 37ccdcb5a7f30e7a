// The options that `lab run` and `lab recovery` share: what is varied, on which cluster, how
// often, and where the results go.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "runner/cli/commands.h"
#include "runner/experiment/run_command.h"

namespace lab::cli {

struct MeasureOptions {
  RunRequest request;
  RunOptions options;
  std::string warmup;
  bool seeded = false;

  // Declares them; the object must outlive `app`.
  void declare(CLI::App& app);
  // Those that --resume takes from the results instead.
  static void exclude_stored(CLI::App& app, const std::vector<std::string>& stored);
  // After parsing: texts to values, paths to absolute ones. Throws lab::Error (Exit::usage).
  void settle(const CommandLine& arguments);
  // One job, `named` by the user or the default one; none after a dry run.
  std::optional<Measured> run(const fs::path& job, bool named);
};

// "10", "30s", "5m"; throws lab::Error (Exit::usage) that names the option.
double seconds_of(const char* option, const std::string& text);
// The same, and 0 is a time, too.
double seconds_or_zero(const char* option, const std::string& text);

// A mark of its own for each experiment: on the image that it makes.
std::string new_mark();

}  // namespace lab::cli
