#include "runner/sandbox/layout.h"

#include <gtest/gtest.h>
#include <sys/un.h>

#include <cstdlib>

namespace lab::sandbox {
namespace {

TEST(DefaultDirectory, TheEnvironmentWins) {
  setenv("LAB_SANDBOX_DIR", "/x/y", 1);
  EXPECT_EQ(default_directory(), "/x/y");
  setenv("LAB_SANDBOX_DIR", "", 1);
  EXPECT_TRUE(default_directory().string().starts_with("/var/tmp/lab-sandbox-"));
  unsetenv("LAB_SANDBOX_DIR");
}

TEST(UnfitPath, AnOrdinaryOneIsFit) { EXPECT_FALSE(unfit_path({"/var/tmp/lab-sandbox-1000"}, 3)); }

TEST(UnfitPath, TheLongestSocketDecides) {
  constexpr size_t limit = sizeof(sockaddr_un::sun_path) - 1;
  size_t tail = std::string("/run/client.rgw.a.asok").size();
  EXPECT_FALSE(unfit_path({"/" + std::string(limit - tail - 1, 'd')}, 3));
  auto reason = unfit_path({"/" + std::string(limit - tail, 'd')}, 3);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("too long"), std::string::npos);
  EXPECT_NE(reason->find("1 shorter"), std::string::npos);
}

TEST(UnfitPath, CharactersThatMeanSomethingToCeph) {
  for (const char* path : {"/a b", "/a#b", "/a;b", "/$id", "/a,b", "/a\"b"})
    EXPECT_TRUE(unfit_path({path}, 3)) << path;
}

TEST(Entries, OnlyWhatASandboxMakesIsItsOwn) {
  for (const char* name :
       {"ceph.conf", "state.json", "osd.0", "osd.12", "log", "mon.a", "mon.keyring.tmp"})
    EXPECT_TRUE(is_sandbox_entry(name)) << name;
  for (const char* name :
       {"osd.", "osd.x", "osd.1x", "notes.txt", "ceph.conf.mine", "notes.txt.tmp", ""})
    EXPECT_FALSE(is_sandbox_entry(name)) << name;
  EXPECT_TRUE(is_leftover_entry("lock"));
  EXPECT_FALSE(is_leftover_entry("ceph.conf"));
}

}  // namespace
}  // namespace lab::sandbox
