// The processes that an inventory names, found on this host.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/inventory.h"
#include "runner/sampling/sampler.h"

namespace lab::sampling {

// Of the inventory's "processes".
std::vector<Subject> subjects_of(const std::vector<NamedProcess>& processes);

// None if it doesn't run now. Throws lab::Error: Exit::usage if more than one process has the
// command, or if a pid file holds no number, Exit::environment if systemd doesn't answer.
std::optional<ProcessId> find_process(const NamedProcess& process);

// Whether a process with this /proc/PID/cmdline (arguments ended by NUL) is meant by `command`:
// the base name of its program, or the beginning of its arguments, joined by blanks.
bool has_command(std::string_view cmdline, const std::string& command);

}  // namespace lab::sampling
