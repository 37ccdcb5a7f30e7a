#include "runner/hosts/mappings.h"

#include <gtest/gtest.h>

namespace lab::hosts {
namespace {

TEST(ParseMappings, AddressesOffsetsAndNames) {
  std::vector<Mapping> found = parse_mappings(
      "7f1000000000-7f1000029000 r--p 00000000 fe:00 77     /usr/lib/libtcmalloc.so.4.5.10\n"
      "7f1000029000-7f100004c000 rw-p 00029000 fe:00 77     /usr/lib/libtcmalloc.so.4.5.10\n"
      "7f100004c000-7f1000200000 rw-p 00000000 00:00 0 \n"
      "7f2000000000-7f2000100000 r-xp 00000000 fe:00 78     /opt/a b/libx.so.1 (deleted)\n"
      "7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0      [stack]\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0],
            (Mapping{0x7f1000000000, 0x7f1000029000, 0, "/usr/lib/libtcmalloc.so.4.5.10", false}));
  EXPECT_EQ(found[1].begin, 0x7f1000029000u);
  EXPECT_EQ(found[1].offset, 0x29000u);
  EXPECT_EQ(found[2].path, "/opt/a b/libx.so.1");
  EXPECT_TRUE(found[2].deleted);
}

TEST(ParseMappings, GarbageIsPassedOver) {
  EXPECT_TRUE(parse_mappings("").empty());
  EXPECT_TRUE(parse_mappings("/only/a/path\nzz-yy r--p 0 0 0 /x\n-\n").empty());
}

}  // namespace
}  // namespace lab::hosts
