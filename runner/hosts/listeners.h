// Which process of this host listens on an address: from the kernel's socket tables
// and the processes' open files, so it works for any daemon, however it was started.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runner/base/process.h"

namespace lab::hosts {

struct Endpoint {
  std::string address;  // as inet_ntop writes it: "127.0.0.1", "::1"
  uint16_t port = 0;

  bool operator==(const Endpoint&) const = default;
  bool operator<(const Endpoint& other) const {
    return std::tie(address, port) < std::tie(other.address, other.port);
  }
};

struct Listener {
  Endpoint endpoint;
  uint64_t inode = 0;
};

// Listening sockets of /proc/net/tcp or tcp6 (the kernel prints addresses as hex
// words in its own byte order). Lines of another form are passed over.
std::vector<Listener> parse_socket_table(std::string_view text);

// "socket:[12345]", as a link in /proc/PID/fd reads; 0 if it is something else.
uint64_t socket_inode(std::string_view link);

// The process behind each of these endpoints, as far as it is on this host, in this
// network namespace, and may be looked at (root sees all). An endpoint of one of the
// host's own addresses is also found behind a socket that listens on all addresses.
std::map<Endpoint, ProcessId> find_listening_processes(const std::vector<Endpoint>& endpoints);

}  // namespace lab::hosts
