#include "engines/ceph/admin_socket.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <thread>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab::ceph {
namespace {

using std::chrono::milliseconds;

// Accepts one connection and lets `serve` answer.
class AdminSocketTest : public ::testing::Test {
 protected:
  AdminSocketTest() {
    char pattern[] = "/tmp/lab-asok-test-XXXXXX";
    dir_ = mkdtemp(pattern);
    path_ = dir_ / "asok";
  }
  ~AdminSocketTest() override {
    if (server_.joinable()) server_.join();
    fs::remove_all(dir_);
  }

  void serve(std::function<void(int)> answer) {
    listener_ = Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, path_.c_str());
    ASSERT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(listener_.get(), 1), 0);
    server_ = std::thread([this, answer] {
      Fd client(accept(listener_.get(), nullptr, nullptr));
      char c = 0;
      while (read(client.get(), &c, 1) == 1 && c != '\0') command_ += c;
      answer(client.get());
    });
  }
  static void send_text(int fd, uint32_t length, const std::string& text) {
    length = htonl(length);
    EXPECT_EQ(write(fd, &length, sizeof length), static_cast<ssize_t>(sizeof length));
    for (char c : text) EXPECT_EQ(write(fd, &c, 1), 1);  // in many pieces
  }
  std::string failure(milliseconds timeout = milliseconds(2000)) {
    try {
      return "answered: " + admin_socket_command(path_, "{}", timeout);
    } catch (const Error& e) {
      return e.what();
    }
  }

  fs::path dir_;
  fs::path path_;
  Fd listener_;
  std::thread server_;
  std::string command_;
};

TEST_F(AdminSocketTest, SendsTheCommandAndReadsTheWholeAnswer) {
  std::string text(3000, 'x');
  serve([&](int fd) { send_text(fd, 3000, text); });
  EXPECT_EQ(admin_socket_command(path_, R"({"prefix":"perf dump"})", milliseconds(5000)), text);
  server_.join();
  EXPECT_EQ(command_, R"({"prefix":"perf dump"})");
}

TEST_F(AdminSocketTest, AnAnswerThatBreaksOffIsAnError) {
  serve([&](int fd) { send_text(fd, 100, "short"); });
  EXPECT_NE(failure().find("broke off"), std::string::npos);
}

TEST_F(AdminSocketTest, AMadLengthIsAnError) {
  serve([&](int fd) { send_text(fd, 0xfffffff0u, ""); });
  EXPECT_NE(failure().find("bytes is none"), std::string::npos);
}

TEST_F(AdminSocketTest, ASilentProcessDoesNotHang) {
  serve([&](int) { std::this_thread::sleep_for(milliseconds(200)); });
  EXPECT_NE(failure(milliseconds(50)).find("cannot get an answer"), std::string::npos);
}

TEST_F(AdminSocketTest, AnAbsentSocketIsNamed) {
  EXPECT_NE(failure().find(path_.string()), std::string::npos);
  path_ = std::string(200, 'p');
  EXPECT_NE(failure().find("too long"), std::string::npos);
}

}  // namespace
}  // namespace lab::ceph
