#include "runner/hosts/package.h"

#include <gtest/gtest.h>

#include "runner/base/process.h"

namespace lab::hosts {
namespace {

TEST(DpkgOwner, TheNameBeforeThePath) {
  EXPECT_EQ(parse_dpkg_owner("libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6\n"), "libc6:amd64");
  EXPECT_EQ(parse_dpkg_owner("ceph-osd: /usr/bin/ceph-osd\n"), "ceph-osd");
}

TEST(DpkgOwner, TheFirstOfSeveralAndNoDiversion) {
  EXPECT_EQ(parse_dpkg_owner("diversion by a from: /bin/x\nb, c: /bin/x\n"), "b");
  EXPECT_EQ(parse_dpkg_owner(""), "");
}

TEST(PackageOf, KnowsTheOwnerOfTheShell) {
  if (find_program("dpkg-query").empty() && find_program("rpm").empty())
    GTEST_SKIP() << "neither dpkg nor rpm here";
  std::optional<Package> found = package_of(fs::canonical("/bin/sh"));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->name.empty());
  EXPECT_FALSE(found->version.empty());
  EXPECT_FALSE(package_of("/no/such/file"));
}

}  // namespace
}  // namespace lab::hosts
