#include "engines/ceph/admin_socket.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab::ceph {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMaxAnswer = 64 << 20;

class Conversation {
 public:
  Conversation(const std::string& path, std::chrono::milliseconds timeout)
      : path_(path), deadline_(Clock::now() + timeout) {}

  void connect() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path_.size() >= sizeof address.sun_path) fail("connect", ENAMETOOLONG);
    memcpy(address.sun_path, path_.data(), path_.size());
    fd_ = Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd_ || ::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      fail("connect", errno);
  }

  void send_all(const char* data, size_t bytes) {
    while (bytes > 0) {
      wait(POLLOUT);
      ssize_t n = send(fd_.get(), data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n < 0) fail("send the command", errno);
      data += n;
      bytes -= static_cast<size_t>(n);
    }
  }

  void receive_all(char* data, size_t bytes) {
    while (bytes > 0) {
      wait(POLLIN);
      ssize_t n = recv(fd_.get(), data, bytes, MSG_DONTWAIT);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n < 0) fail("read the answer", errno);
      if (n == 0) throw environment_error("admin socket {}: the answer broke off", path_);
      data += n;
      bytes -= static_cast<size_t>(n);
    }
  }

 private:
  void wait(short events) {
    for (;;) {
      auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      if (left <= 0) fail("get an answer", ETIMEDOUT);
      pollfd p{fd_.get(), events, 0};
      if (poll(&p, 1, static_cast<int>(left)) > 0) return;
    }
  }

  [[noreturn]] void fail(const char* what, int error) {
    throw environment_error("admin socket {}: cannot {}: {}", path_, what,
                            std::generic_category().message(error));
  }

  std::string path_;
  Clock::time_point deadline_;
  Fd fd_;
};

}  // namespace

std::string admin_socket_command(const std::string& path, const std::string& command,
                                 std::chrono::milliseconds timeout) {
  Conversation talk(path, timeout);
  talk.connect();
  talk.send_all(command.c_str(), command.size() + 1);  // with its NUL
  uint32_t length = 0;
  talk.receive_all(reinterpret_cast<char*>(&length), sizeof length);
  length = ntohl(length);
  if (length > kMaxAnswer)
    throw environment_error("admin socket {}: an answer of {} bytes is none", path, length);
  std::string answer(length, '\0');
  talk.receive_all(answer.data(), answer.size());
  return answer;
}

}  // namespace lab::ceph
