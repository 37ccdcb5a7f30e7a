// The admin socket of a Ceph process, spoken in-process: a NUL-terminated JSON command,
// answered by a big-endian 32-bit length and as many bytes.
#pragma once

#include <chrono>
#include <string>

namespace lab::ceph {

// Throws lab::Error (Exit::environment) naming the path, and within `timeout`.
std::string admin_socket_command(const std::string& path, const std::string& command,
                                 std::chrono::milliseconds timeout);

}  // namespace lab::ceph
