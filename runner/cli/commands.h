// The subcommands of lab, one file each. An add_ function declares its options
// and sets `action` when its subcommand was chosen; main runs the action.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "runner/base/error.h"

namespace lab::cli {

using Action = std::function<Exit()>;

void add_report(CLI::App& app, Action& action);
void add_results(CLI::App& app, Action& action);
void add_sandbox(CLI::App& app, Action& action);

}  // namespace lab::cli
