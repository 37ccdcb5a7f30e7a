// The subcommands of lab, one file each. An add_ function declares its options
// and sets `action` when its subcommand was chosen; main runs the action.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "runner/base/error.h"

namespace lab::cli {

using Action = std::function<Exit()>;

// What the user typed, without the program's name: results keep it.
using CommandLine = std::vector<std::string>;

void add_run(CLI::App& app, Action& action, const CommandLine& arguments);
void add_compare(CLI::App& app, Action& action);
void add_gate(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_profile(CLI::App& app, Action& action);
void add_recovery(CLI::App& app, Action& action, const CommandLine& arguments);
void add_report(CLI::App& app, Action& action);
void add_restore(CLI::App& app, Action& action);
void add_results(CLI::App& app, Action& action);
void add_sandbox(CLI::App& app, Action& action);
void add_soak(CLI::App& app, Action& action, const CommandLine& arguments);
void add_validate(CLI::App& app, Action& action, const CommandLine& arguments);

}  // namespace lab::cli
