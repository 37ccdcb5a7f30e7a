// lab: parses the command line, runs one subcommand, turns failures into texts and exit statuses.
#include <cstdio>
#include <iostream>
#include <string>

#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace {

// What can be told only when all is written: a full disk, a closed pipe.
void check_stdout() {
  if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout))
    throw lab::environment_error("cannot write to stdout");
}

// What CLI11 has to say: help, a version, or what is wrong with the command line.
int leave(const CLI::App& app, const CLI::ParseError& e) {
  const bool asked = app.exit(e) == 0;
  check_stdout();
  return asked ? 0 : static_cast<int>(lab::Exit::usage);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A fio-driven block and object performance laboratory.", "lab");
  app.set_version_flag("--version", std::string("lab ") + LAB_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  lab::cli::Action action;
  lab::cli::add_run(app, action, lab::cli::CommandLine(argv + 1, argv + argc));
  lab::cli::add_recovery(app, action, lab::cli::CommandLine(argv + 1, argv + argc));
  lab::cli::add_soak(app, action, lab::cli::CommandLine(argv + 1, argv + argc));
  lab::cli::add_validate(app, action, lab::cli::CommandLine(argv + 1, argv + argc));
  lab::cli::add_report(app, action);
  lab::cli::add_plot(app, action);
  lab::cli::add_compare(app, action);
  lab::cli::add_gate(app, action);
  lab::cli::add_import(app, action);
  lab::cli::add_profile(app, action);
  lab::cli::add_results(app, action);
  lab::cli::add_restore(app, action);
  lab::cli::add_sandbox(app, action);
  try {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      return leave(app, e);
    }
    const lab::Exit status = action();
    check_stdout();
    return static_cast<int>(status);
  } catch (const lab::Error& e) {
    lab::cli::warn(e.what());
    return static_cast<int>(e.status());
  } catch (const std::exception& e) {
    lab::cli::warn(std::string("unexpected: ") + e.what());
    return static_cast<int>(lab::Exit::environment);
  }
}
