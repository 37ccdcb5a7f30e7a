// Servers in threads of a test: an admin socket of Ceph, and a port that answers any request alike.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "runner/base/file.h"

namespace lab {

// Accepts connections, one after the other, until it is destroyed.
class Accepting {
 public:
  Accepting(Fd listener, std::function<void(int)> serve, bool stopped)
      : listener_(std::move(listener)), serve_(std::move(serve)), stopped_(stopped) {
    thread_ = std::thread([this] { run(); });
  }
  ~Accepting() {
    ending_ = true;
    thread_.join();
  }
  Accepting(const Accepting&) = delete;
  Accepting& operator=(const Accepting&) = delete;

  // While stopped it listens, but does nothing, as a process after SIGSTOP.
  void go_on() { stopped_ = false; }

 private:
  void run() {
    while (!ending_) {
      pollfd ready{stopped_ ? -1 : listener_.get(), POLLIN, 0};
      if (poll(&ready, 1, 10) <= 0) continue;
      const Fd client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (client) serve_(client.get());
    }
  }

  Fd listener_;
  std::function<void(int)> serve_;
  std::atomic<bool> stopped_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

inline void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // the other side has gone
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

class AnsweringSocket {
 public:
  enum class Begin { running, stopped };

  AnsweringSocket(const fs::path& path, std::function<std::string(const std::string&)> answer,
                  Begin begin = Begin::running)
      : answer_(std::move(answer)),
        accepting_(
            listen_at(path), [this](int client) { serve(client); }, begin == Begin::stopped) {}

  void go_on() { accepting_.go_on(); }
  // Questions that came, also those that nobody waited for.
  uint64_t asked() const { return asked_; }

  static Fd listen_at(const fs::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    Fd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // As many as Ceph lets wait.
    if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener.get(), 5) != 0)
      throw std::runtime_error("cannot listen at " + path.string());
    return listener;
  }
  // The next connection to `listener`.
  static void answer_one(int listener,
                         const std::function<std::string(const std::string&)>& answer) {
    const Fd client(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (client) answer_question(client.get(), answer);
  }

 private:
  static void answer_question(int client,
                              const std::function<std::string(const std::string&)>& answer) {
    std::string command;
    char c = 0;
    while (read(client, &c, 1) == 1 && c != '\0') command += c;
    const std::string text = answer(command);
    const uint32_t length = htonl(static_cast<uint32_t>(text.size()));
    send_all(client, std::string(reinterpret_cast<const char*>(&length), sizeof length) + text);
  }
  void serve(int client) {
    ++asked_;
    answer_question(client, answer_);
  }

  std::function<std::string(const std::string&)> answer_;
  std::atomic<uint64_t> asked_ = 0;
  Accepting accepting_;  // its thread uses what is above
};

class AnsweringPort {
 public:
  explicit AnsweringPort(std::string answer)
      : answer_(std::move(answer)),
        accepting_(
            listen_anywhere(port_), [this](int client) { serve(client); }, false) {}

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/metrics"; }
  std::string last_request() {
    const std::lock_guard lock(mutex_);
    return last_request_;
  }

 private:
  static Fd listen_anywhere(uint16_t& port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    Fd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener.get(), 16) != 0 ||
        getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("cannot listen on loopback");
    port = ntohs(address.sin_port);
    return listener;
  }
  void serve(int client) {
    std::string request;
    char c = 0;
    while (!request.ends_with("\r\n\r\n") && read(client, &c, 1) == 1) request += c;
    send_all(client, answer_);
    const std::lock_guard lock(mutex_);
    last_request_ = request;
  }

  std::string answer_;
  uint16_t port_ = 0;
  std::mutex mutex_;
  std::string last_request_;
  Accepting accepting_;  // its thread uses what is above
};

}  // namespace lab
