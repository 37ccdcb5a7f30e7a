#include "runner/target/block_facts.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runner/base/error.h"
#include "runner/target/block_guard.h"
#include "runner/target/loop_device_for_test.h"

namespace lab {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr std::chrono::seconds kLimit{20};

// A DOS partition table with one Linux partition from 1 MiB on.
std::string partition_table(uint32_t sectors) {
  std::string sector(512, '\0');
  auto put = [&](size_t at, uint32_t value) {
    for (int i = 0; i < 4; ++i) sector[at + i] = static_cast<char>(value >> (8 * i));
  };
  sector[446 + 4] = static_cast<char>(0x83);
  put(446 + 8, 2048);
  put(446 + 12, sectors);
  sector[510] = static_cast<char>(0x55);
  sector[511] = static_cast<char>(0xaa);
  return sector;
}

TEST(ParseMountinfo, KeepsNumberMountPointAndSource) {
  auto mounts = parse_mountinfo(
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "36 27 254:16 / /srv/my\\040data rw,noatime shared:1 master:2 - ext4 /dev/vdb rw\n"
      "garbage\n");
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[1].number, makedev(254, 16));
  EXPECT_EQ(mounts[1].mount_point, "/srv/my data");
  EXPECT_EQ(mounts[1].source, "/dev/vdb");
}

TEST(ParseSwaps, SkipsTheHeader) {
  EXPECT_EQ(parse_swaps("Filename\tType\tSize\n/dev/vdb2   partition\t8\t0\t-2\n"
                        "/swap\\040file file 8 0 -3\n"),
            (std::vector<std::string>{"/dev/vdb2", "/swap file"}));
}

TEST(BlockFacts, TellsFilesAndAbsentPathsFromDevices) {
  Fd exclusive;
  BlockFacts facts = read_block_facts("/proc/self/exe", exclusive);
  EXPECT_TRUE(facts.exists);
  EXPECT_EQ(facts.device, "");
  EXPECT_FALSE(read_block_facts("/dev/there-is-no-such-device", exclusive).exists);
}

class LoopTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (auto reason = LoopDevice::why_not()) GTEST_SKIP() << *reason;
  }
  static BlockFacts facts_of(const std::string& device) {
    Fd exclusive;
    return read_block_facts(device, exclusive);
  }
  static std::string objection(const std::string& device,
                               const std::vector<std::string>& destroy = {}) {
    return objection_to_writing(facts_of(device), destroy).value_or("none");
  }
};

TEST_F(LoopTest, AnEmptyDeviceIsClaimedForOneAtATime) {
  LoopDevice loop(8 * kMiB);
  BlockClaim claim = claim_block_device(loop.device(), {});
  EXPECT_EQ(claim.device, loop.device());
  EXPECT_EQ(claim.size_bytes, 8 * kMiB);
  EXPECT_TRUE(claim.contents.empty());
  try {
    claim_block_device(loop.device(), {loop.device()});
    FAIL() << "claimed twice";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    EXPECT_NE(std::string(e.what()).find("exclusive access"), std::string::npos) << e.what();
  }
}

TEST_F(LoopTest, AFileSystemIsSeenAndSparedUnlessNamed) {
  LoopDevice loop(8 * kMiB);
  run_checked({.argv = {"mkfs.ext4", "-q", "-L", "keepme", loop.device()}}, kLimit);
  std::string text = objection(loop.device());
  EXPECT_NE(text.find("ext4"), std::string::npos) << text;
  EXPECT_NE(text.find("keepme"), std::string::npos) << text;
  EXPECT_EQ(objection(loop.device(), {loop.device()}), "none");
}

TEST_F(LoopTest, AMountedDeviceIsRefusedEvenIfNamed) {
  LoopDevice loop(8 * kMiB);
  run_checked({.argv = {"mkfs.ext4", "-q", loop.device()}}, kLimit);
  TemporaryDirectory directory;
  ASSERT_EQ(mount(loop.device().c_str(), directory.path().c_str(), "ext4", 0, nullptr), 0)
      << strerror(errno);
  std::string text = objection(loop.device(), {loop.device()});
  EXPECT_EQ(umount(directory.path().c_str()), 0);
  EXPECT_NE(text.find("is mounted on " + directory.path().string()), std::string::npos) << text;
}

TEST_F(LoopTest, APartitionInUseProtectsTheWholeDisk) {
  LoopDevice loop(16 * kMiB);
  loop.write(0, partition_table(14 * 2048));
  // Told to the kernel by hand, since not every kernel reads DOS partition tables itself.
  const std::string partition = loop.device() + "p1";
  run_command({.argv = {"addpart", loop.device(), "1", "2048", "28672"}}, kLimit);
  if (!fs::exists(partition)) GTEST_SKIP() << "no device node appears for partitions here";
  std::string name = fs::path(partition).filename();
  std::string text = objection(loop.device());
  EXPECT_NE(text.find("partitions: " + name), std::string::npos) << text;
  EXPECT_NE(text.find("dos partition table"), std::string::npos) << text;
  EXPECT_EQ(objection(loop.device(), {loop.device()}), "none");

  run_checked({.argv = {"mkfs.ext4", "-q", partition}}, kLimit);
  TemporaryDirectory directory;
  ASSERT_EQ(mount(partition.c_str(), directory.path().c_str(), "ext4", 0, nullptr), 0)
      << strerror(errno);
  text = objection(loop.device(), {loop.device()});
  EXPECT_EQ(umount(directory.path().c_str()), 0);
  run_checked({.argv = {"delpart", loop.device(), "1"}}, kLimit);
  EXPECT_NE(text.find("its partition " + name + " is mounted on"), std::string::npos) << text;
}

TEST_F(LoopTest, AnOsdIsRecognisedByItsLabel) {
  LoopDevice loop(8 * kMiB);
  // What ceph-osd --mkfs writes at offset 0: the magic, then the OSD's UUID.
  loop.write(0, "bluestore block device\n2d8e7c70-8a8d-4f0e-9f0a-2b4a5a2f6d11\n");
  EXPECT_NE(objection(loop.device()).find("Ceph OSD"), std::string::npos)
      << objection(loop.device());
}

TEST_F(LoopTest, SwapSpaceAndVolumesAreSeen) {
  LoopDevice loop(8 * kMiB);
  run_checked({.argv = {"mkswap", loop.device()}}, kLimit);
  EXPECT_NE(objection(loop.device()).find("swap"), std::string::npos) << objection(loop.device());
  LoopDevice encrypted(8 * kMiB);
  encrypted.write(0, std::string_view("LUKS\xba\xbe\0\1", 8));
  EXPECT_NE(objection(encrypted.device()).find("crypto_LUKS"), std::string::npos)
      << objection(encrypted.device());
}

TEST_F(LoopTest, DataWithoutASignatureCountsToo) {
  LoopDevice loop(64 * kMiB);
  loop.write(64 * kMiB - 512, "x");
  EXPECT_NE(objection(loop.device()).find("data of unknown kind"), std::string::npos)
      << objection(loop.device());
}

TEST_F(LoopTest, AReadOnlyDeviceIsRefused) {
  LoopDevice loop(8 * kMiB, true);
  EXPECT_NE(objection(loop.device(), {loop.device()}).find("read-only"), std::string::npos);
}

TEST_F(LoopTest, TheRootFileSystemsDeviceIsRefused) {
  struct stat info {};
  ASSERT_EQ(stat("/", &info), 0);
  fs::path uevent =
      fs::path("/sys/dev/block") / fmt::format("{}:{}", major(info.st_dev), minor(info.st_dev));
  if (!fs::exists(uevent)) GTEST_SKIP() << "/ is on no block device here";
  std::string device = "/dev/" + fs::canonical(uevent).filename().string();
  if (!fs::exists(device)) GTEST_SKIP() << "this container has no " << device;
  std::string text = objection(device, {device});
  EXPECT_NE(text.find("is mounted on"), std::string::npos) << text;
}

}  // namespace
}  // namespace lab
