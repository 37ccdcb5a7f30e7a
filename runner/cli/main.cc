// lab: parses the command line, runs one subcommand, turns failures into texts and exit statuses.
#include <cstdio>

#include "runner/cli/commands.h"

int main(int argc, char** argv) {
  CLI::App app("A fio-driven block and object performance laboratory.", "lab");
  app.set_version_flag("--version", std::string("lab ") + LAB_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  lab::cli::Action action;
  lab::cli::add_run(app, action, lab::cli::CommandLine(argv + 1, argv + argc));
  lab::cli::add_report(app, action);
  lab::cli::add_results(app, action);
  lab::cli::add_sandbox(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : static_cast<int>(lab::Exit::usage);
  }
  try {
    return static_cast<int>(action());
  } catch (const lab::Error& e) {
    fmt::print(stderr, "lab: {}\n", e.what());
    return static_cast<int>(e.status());
  } catch (const std::exception& e) {
    fmt::print(stderr, "lab: unexpected: {}\n", e.what());
    return static_cast<int>(lab::Exit::environment);
  }
}
