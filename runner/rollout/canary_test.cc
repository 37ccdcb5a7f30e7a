#include "runner/rollout/canary.h"

#include <gtest/gtest.h>

namespace lab::rollout {
namespace {

TEST(Canary, WhatIsForAllOsdsIsForTheOne) {
  const std::vector<Setting> level = {
      AllocatorChoice{"osd", "jemalloc"}, ProcessEnvironment{"osd", {{"MALLOC_CONF", "narenas:4"}}},
      ConfigOptions{"osd", {{"debug_ms", "0/0"}}}, DaemonProgram{"osd", "/opt/ceph-osd"}};
  const std::vector<Setting> canary = canary_settings(level, "osd.2");
  ASSERT_EQ(canary.size(), 4u);
  EXPECT_EQ(std::get<AllocatorChoice>(canary[0]).scope, "osd.2");
  EXPECT_EQ(std::get<AllocatorChoice>(canary[0]).allocator, "jemalloc");
  EXPECT_EQ(std::get<ProcessEnvironment>(canary[1]).scope, "osd.2");
  EXPECT_EQ(std::get<ConfigOptions>(canary[2]).who, "osd.2");
  EXPECT_EQ(std::get<DaemonProgram>(canary[3]).scope, "osd.2");
}

TEST(Canary, MasksAndGlobalAreForAllOsds) {
  for (const char* who : {"osd/class:ssd", "global", "osd.2"}) {
    const auto canary = canary_settings({ConfigOptions{who, {{"debug_ms", "0/0"}}}}, "osd.2");
    ASSERT_EQ(canary.size(), 1u) << who;
    EXPECT_EQ(std::get<ConfigOptions>(canary[0]).who, "osd.2");
  }
}

TEST(Canary, OthersAndClientsStayOutOfIt) {
  EXPECT_TRUE(
      canary_settings({AllocatorChoice{"client", "jemalloc"}, AllocatorChoice{"rgw", "glibc"},
                       ClientOptions{{{"rbd_cache", "false"}}}, CacheMode{"off"},
                       JobOptions{{{"iodepth", "1"}}}},
                      "osd.0")
          .empty());
}

TEST(Canary, IsAMatrixThatLabRunTakes) {
  const std::string text =
      canary_matrix({AllocatorChoice{"osd.0", "jemalloc"}}, "osd.0", "jemalloc");
  const Factor factor = parse_factor(JsonDocument::parse(text, "canary.json"));
  ASSERT_EQ(factor.levels.size(), 1u);
  EXPECT_EQ(factor.levels[0].name, "canary");
  EXPECT_TRUE(factor.restarts);
}

}  // namespace
}  // namespace lab::rollout
