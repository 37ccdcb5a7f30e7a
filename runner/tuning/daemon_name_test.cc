#include "runner/tuning/daemon_name.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(DaemonName, GatewaysAreClientsToCeph) {
  EXPECT_EQ(entity_of("osd.3"), "osd.3");
  EXPECT_EQ(entity_of("rgw.a"), "client.rgw.a");
  EXPECT_EQ(entity_of("rgw"), "client.rgw");
}

TEST(Reaches, APlaceOfTheConfigurationMeansDaemons) {
  for (const char* who : {"global", "osd", "osd.1", "osd/class:ssd", "global/host:a"})
    EXPECT_TRUE(reaches(who, "osd.1")) << who;
  for (const char* who : {"osd.10", "os", "mon", "client"})
    EXPECT_FALSE(reaches(who, "osd.1")) << who;
  for (const char* who : {"global", "client", "client.rgw", "client.rgw.a"})
    EXPECT_TRUE(reaches(who, "rgw.a")) << who;
  for (const char* who : {"client.rgw.b", "client.admin", "client.rg", "osd"})
    EXPECT_FALSE(reaches(who, "rgw.a")) << who;
  EXPECT_FALSE(reaches("osd.1", "osd.10"));
}

}  // namespace
}  // namespace lab
