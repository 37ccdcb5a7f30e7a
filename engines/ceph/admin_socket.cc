#include "engines/ceph/admin_socket.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab::ceph {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMaxAnswer = 64 << 20;
constexpr size_t kRead = 64 << 10;

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw environment_error("admin socket {}: cannot {}: {}", path, what,
                          std::generic_category().message(error));
}

class Conversation {
 public:
  Conversation(const std::string& path, std::chrono::milliseconds timeout)
      : path_(path), deadline_(Clock::now() + timeout) {}

  void connect() {
    const sockaddr_un address = admin_socket_address(path_);
    fd_ = Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd_ ||
        ::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      fail(path_, "connect", errno);
  }

  void send_all(std::string_view data) {
    while (!data.empty()) {
      wait(POLLOUT);
      ssize_t n = send(fd_.get(), data.data(), data.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n < 0) fail(path_, "send the command", errno);
      data.remove_prefix(static_cast<size_t>(n));
    }
  }

  // Adds what has come.
  void receive(std::string& received) {
    wait(POLLIN);
    char buffer[kRead];
    ssize_t n = recv(fd_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n < 0) fail(path_, "read the answer", errno);
    if (n == 0) throw environment_error("admin socket {}: the answer broke off", path_);
    received.append(buffer, static_cast<size_t>(n));
  }

 private:
  void wait(short events) {
    for (;;) {
      auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      if (left <= 0) fail(path_, "get an answer", ETIMEDOUT);
      pollfd p{fd_.get(), events, 0};
      if (poll(&p, 1, static_cast<int>(left)) > 0) return;
    }
  }

  std::string path_;
  Clock::time_point deadline_;
  Fd fd_;
};

}  // namespace

sockaddr_un admin_socket_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) fail(path, "connect", ENAMETOOLONG);
  memcpy(address.sun_path, path.data(), path.size());
  return address;
}

std::string admin_socket_request(std::string_view command) {
  std::string request(command);
  request += '\0';
  return request;
}

std::optional<std::string_view> admin_socket_answer(const std::string& path,
                                                    std::string_view received) {
  uint32_t length = 0;
  if (received.size() < sizeof length) return {};
  memcpy(&length, received.data(), sizeof length);
  length = ntohl(length);
  if (length > kMaxAnswer)
    throw environment_error("admin socket {}: an answer of {} bytes is none", path, length);
  received.remove_prefix(sizeof length);
  if (received.size() < length) return {};
  return received.substr(0, length);
}

std::string admin_socket_command(const std::string& path, const std::string& command,
                                 std::chrono::milliseconds timeout) {
  Conversation talk(path, timeout);
  talk.connect();
  talk.send_all(admin_socket_request(command));
  std::string received;
  for (;;) {
    talk.receive(received);
    if (const auto answer = admin_socket_answer(path, received)) return std::string(*answer);
  }
}

}  // namespace lab::ceph
