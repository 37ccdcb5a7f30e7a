#include "runner/hosts/unix_sockets.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/temporary_directory.h"

namespace lab::hosts {
namespace {

TEST(UnixSockets, OnlyThoseThatListenAndHaveAPath) {
  const std::vector<UnixListener> found = parse_unix_sockets(
      "Num       RefCount Protocol Flags    Type St Inode Path\n"
      "00000000: 00000002 00000000 00010000 0001 01 15310 /run/ceph/ceph-osd.0.asok\n"
      "00000000: 00000003 00000000 00000000 0001 03 15311 /run/ceph/ceph-osd.0.asok\n"
      "00000000: 00000002 00000000 00010000 0001 01 15312 @abstract\n"
      "00000000: 00000003 00000000 00000000 0001 03 15313\n"
      "00000000: 00000002 00000000 00010000 0001 01 15314 /tmp/with a space\n"
      "broken\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].inode, 15310u);
  EXPECT_EQ(found[0].path, "/run/ceph/ceph-osd.0.asok");
  EXPECT_EQ(found[1].path, "/tmp/with a space");
}

TEST(UnixSockets, OfThisProcess) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "s.asok").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::copy(path.begin(), path.end(), address.sun_path);
  const Fd fd(socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const std::vector<std::string> before = listening_unix_sockets(getpid());
  EXPECT_EQ(std::count(before.begin(), before.end(), path), 0);
  ASSERT_EQ(listen(fd.get(), 1), 0);
  const std::vector<std::string> after = listening_unix_sockets(getpid());
  EXPECT_EQ(std::count(after.begin(), after.end(), path), 1);
}

TEST(UnixSockets, ProcessThatIsNotThere) { EXPECT_THROW(listening_unix_sockets(1 << 30), Error); }

}  // namespace
}  // namespace lab::hosts
