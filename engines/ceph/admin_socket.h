// The admin socket of a Ceph process, spoken in-process: a NUL-terminated JSON command,
// answered by a big-endian 32-bit length and as many bytes.
#pragma once

#include <sys/un.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace lab::ceph {

// Throws lab::Error (Exit::environment) naming the path, and within `timeout`.
std::string admin_socket_command(const std::string& path, const std::string& command,
                                 std::chrono::milliseconds timeout);

// The pieces of it, for conversations that are waited for elsewhere. Errors are as above.

sockaddr_un admin_socket_address(const std::string& path);
// The bytes to be sent.
std::string admin_socket_request(std::string_view command);
// The answer in the bytes received so far; none while some are missing.
std::optional<std::string_view> admin_socket_answer(const std::string& path,
                                                    std::string_view received);

}  // namespace lab::ceph
