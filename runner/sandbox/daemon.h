// The processes of a sandbox: how each is started, and how they are found and ended.
#pragma once

#include <string>
#include <vector>

#include "runner/sandbox/state.h"

namespace lab::sandbox {

// The environment variable by which every process of a sandbox is recognised, also
// when whoever started it died before writing its pid down.
constexpr const char* kTokenVariable = "LAB_SANDBOX_TOKEN";

// Programs a sandbox needs, with the Debian packages that have them; throws
// lab::Error (Exit::environment) that lists what is missing.
void check_programs(bool rgw);

// How a daemon is started in the foreground (so that its pid is the one we get).
Daemon describe_daemon(const std::string& name, const Layout& layout, const State& state);

// Starts a daemon of this state detached, in a session of its own, on the CPUs that it had before.
// The state is saved before and after.
void start(Daemon& daemon, State& state, const Layout& layout);

// True for variables of the user's shell that would change what a daemon or tool is:
// Ceph's own, and those of the allocators. What a daemon shall have of them stands in
// its own environment.
bool is_withheld(const std::string& variable);

// A program of the sandbox that ends by itself.
Command tool(std::vector<std::string> argv, const State& state);

// Processes whose environment carries this token (of this user, or of all for root).
std::vector<ProcessId> find_by_token(const std::string& token);

// The processes of this daemon, also one whose pid was not written down since its starter was
// killed at that moment.
std::vector<ProcessId> find_processes(const Daemon& daemon, const State& state);

// Whether /proc/PID/environ (entries ended by NUL) carries this token.
bool environ_has_token(std::string_view environ, const std::string& token);

// Before it is ended: somebody may have moved it to other CPUs since its start.
void remember_cpus(Daemon& daemon);

// SIGKILL, as a failure; returns when the process is gone.
void kill_process(const ProcessId& process);

// Ends them all at the same time: SIGTERM, and SIGKILL after `grace`.
void end_processes(const std::vector<ProcessId>& processes, std::chrono::milliseconds grace);

// The last lines of a daemon's log and error output, for an error message.
std::string last_words(const std::string& daemon, const Layout& layout);

}  // namespace lab::sandbox
