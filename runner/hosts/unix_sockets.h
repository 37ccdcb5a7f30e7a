// The UNIX sockets that a process listens on, by the paths that they were bound to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::hosts {

struct UnixListener {
  uint64_t inode = 0;
  std::string path;
};

// Of /proc/net/unix: those that listen and have a path. Lines of another form are passed over.
std::vector<UnixListener> parse_unix_sockets(std::string_view text);

// Throws lab::Error (Exit::environment) if the process is gone or not ours to look at.
std::vector<std::string> listening_unix_sockets(pid_t pid);

}  // namespace lab::hosts
