#include "runner/sandbox/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>

#include "runner/base/error.h"

namespace lab::sandbox {
namespace {

constexpr int kLowestBase = 10240;

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int first_ephemeral_port() {
  const std::string range = read_file_or_empty("/proc/sys/net/ipv4/ip_local_port_range");
  int first = 0;
  if (sscanf(range.c_str(), "%d", &first) == 1) return first;
  return 32768;  // no such file in some containers: the kernel's default then
}

// An abstract unix socket as a system-wide lock: nothing is left when its holder dies.
Fd reserve(uint16_t grid_position) {
  Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return fd;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string name = fmt::format("lab-sandbox-ports-{}", grid_position);
  memcpy(address.sun_path + 1, name.data(), name.size());
  auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), bytes) != 0) return Fd();
  return fd;
}

}  // namespace

PortRange possible_bases(int osds, int ephemeral_first) {
  int end = ephemeral_first - Ports::block_size(osds);
  if (end < kLowestBase + 1000) end = 65536 - Ports::block_size(osds);
  return {static_cast<uint16_t>(kLowestBase), static_cast<uint16_t>(end - 1)};
}

PortReservation PortReservation::make(int osds) {
  PortRange bases = possible_bases(osds, first_ephemeral_port());
  // Blocks begin on a grid as wide as a block of the usual size: different positions
  // of two sandboxes of that size can't overlap, and is_port_free finds the others.
  int step = Ports::block_size(std::max(osds, 3));
  int positions = (bases.last - bases.first) / step;
  std::random_device seed;
  std::mt19937 random(seed());
  std::uniform_int_distribution<int> any(0, std::max(0, positions - 1));
  for (int attempt = 0; attempt < 200; ++attempt) {
    auto base = static_cast<uint16_t>(bases.first + any(random) * step);
    Fd guard = reserve(base);
    if (!guard) continue;
    bool free = true;
    for (int i = 0; free && i < Ports::block_size(osds); ++i)
      free = is_port_free(static_cast<uint16_t>(base + i));
    if (free) return {Ports{base}, std::move(guard)};
  }
  throw environment_error(
      "no {} neighbouring free ports on 127.0.0.1 between {} and {}: what listens there? (ss -tln)",
      Ports::block_size(osds), bases.first, bases.last);
}

bool is_port_free(uint16_t port) {
  Fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // As a server would: a connection that is in TIME_WAIT doesn't matter, a listener does.
  int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = loopback(port);
  return bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
         listen(fd.get(), 1) == 0;
}

bool is_port_open(uint16_t port) {
  Fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = loopback(port);
  return connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace lab::sandbox
