// The environment a process was started with. It tells what was asked for, not what came
// of it: a variable that a library refused, or never read, stands here all the same.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>

namespace lab::hosts {

// Of /proc/PID/environ, entries ended by NUL. Of a name that stands there twice, the
// first counts, as for getenv; what has no name is left out.
std::map<std::string, std::string> parse_environ(std::string_view environ);

// Throws lab::Error (Exit::environment) if the process is gone or not ours to look at.
std::map<std::string, std::string> read_environ(pid_t pid);

}  // namespace lab::hosts
