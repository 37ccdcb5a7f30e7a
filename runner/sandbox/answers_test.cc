#include "runner/sandbox/answers.h"

#include <gtest/gtest.h>

namespace lab::sandbox {
namespace {

Json addresses(int nonce) {
  return {{"addrvec", Json::array({{{"type", "v2"}, {"addr", "127.0.0.1:1"}, {"nonce", nonce}}})}};
}

TEST(OsdUp, OnlyTheProcessThatIsMeant) {
  Json dump = {{"osds", Json::array({{{"osd", 0}, {"up", 1}, {"public_addrs", addresses(100)}},
                                     {{"osd", 1}, {"up", 0}, {"public_addrs", addresses(101)}}})}};
  EXPECT_TRUE(is_osd_up(dump, "osd.0", 100));
  EXPECT_FALSE(is_osd_up(dump, "osd.0", 99));   // the one before its restart
  EXPECT_FALSE(is_osd_up(dump, "osd.1", 101));  // down
  EXPECT_FALSE(is_osd_up(dump, "osd.2", 100));
}

TEST(ManagerActive, OnlyIfReady) {
  Json dump = {{"available", true}, {"active_addrs", addresses(7)}};
  EXPECT_TRUE(is_manager_active(dump, 7));
  EXPECT_FALSE(is_manager_active(dump, 8));
  dump["available"] = false;
  EXPECT_FALSE(is_manager_active(dump, 7));
}

}  // namespace
}  // namespace lab::sandbox
