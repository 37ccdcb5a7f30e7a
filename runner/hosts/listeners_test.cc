#include "runner/hosts/listeners.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lab::hosts {
namespace {

// Two lines of /proc/net/tcp as a little-endian kernel prints them: a listener on
// 127.0.0.1:6816 and an established connection.
constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n"
    "   1: 0100007F:1AA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
    "11009 1 00000000ae933e56 100 0 0 10 0\n"
    "   2: 0100007F:1AA1 0100007F:8A40 01 00000000:00000000 00:00000000 00000000     0        0 "
    "11010 1 00000000ae933e57 20 4 30 10 -1\n";

constexpr const char* kTable6 =
    "  sl  local_address                         remote_address                        st ...\n"
    "   0: 00000000000000000000000001000000:1A90 00000000000000000000000000000000:0000 0A "
    "00000000:00000000 00:00000000 00000000   167        0 4711 1 0000000000000000 100 0 0 10 0\n";

TEST(SocketTable, OnlyListenersAreTaken) {
  std::vector<Listener> found = parse_socket_table(kTable);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].endpoint, (Endpoint{"127.0.0.1", 6816}));
  EXPECT_EQ(found[0].inode, 11009u);
}

TEST(SocketTable, Ipv6) {
  std::vector<Listener> found = parse_socket_table(kTable6);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].endpoint, (Endpoint{"::1", 6800}));
  EXPECT_EQ(found[0].inode, 4711u);
}

TEST(SocketTable, GarbageIsPassedOver) {
  EXPECT_TRUE(parse_socket_table("").empty());
  EXPECT_TRUE(parse_socket_table("1: zz:1 x 0A 0 0 0 0 0 77\n: : : : :\n").empty());
}

TEST(SocketInode, OnlyOfSockets) {
  EXPECT_EQ(socket_inode("socket:[12345]"), 12345u);
  EXPECT_EQ(socket_inode("pipe:[12345]"), 0u);
  EXPECT_EQ(socket_inode("/var/log/x"), 0u);
}

// A socket that listens on this address with a port of the kernel's choice.
struct Server {
  explicit Server(uint32_t address) : fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in bound{};
    bound.sin_family = AF_INET;
    bound.sin_addr.s_addr = htonl(address);
    socklen_t size = sizeof bound;
    EXPECT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&bound), size), 0);
    EXPECT_EQ(listen(fd.get(), 1), 0);
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &size);
    port = ntohs(bound.sin_port);
  }
  Fd fd;
  uint16_t port = 0;
};

TEST(FindListeningProcesses, FindsThisProcessAndNothingElse) {
  Server exact(INADDR_LOOPBACK);
  Server any(INADDR_ANY);
  Endpoint at_exact{"127.0.0.1", exact.port};
  Endpoint at_any{"127.0.0.1", any.port};
  Endpoint foreign{"192.0.2.1", any.port};  // TEST-NET-1: no address of this host
  Endpoint nobody{"127.0.0.1", 1};
  auto found = find_listening_processes({at_exact, at_any, foreign, nobody});
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at(at_exact), identify(getpid()));
  EXPECT_EQ(found.at(at_any), identify(getpid()));
}

}  // namespace
}  // namespace lab::hosts
