#include "runner/tuning/knob.h"

#include <gtest/gtest.h>

#include "runner/tuning/daemon_name.h"

namespace lab {
namespace {

TEST(Reaches, WhomAPlaceOfTheConfigurationMeans) {
  for (const char* who : {"global", "osd", "osd.1", "osd/class:ssd", "global/host:a"})
    EXPECT_TRUE(reaches(who, "osd.1")) << who;
  for (const char* who : {"osd.10", "osd.11/host:x", "mon", "client", "client.rgw"})
    EXPECT_FALSE(reaches(who, "osd.1")) << who;
  for (const char* who : {"global", "client", "client.rgw", "client.rgw.a"})
    EXPECT_TRUE(reaches(who, "rgw.a")) << who;
  EXPECT_FALSE(reaches("client.rgw.b", "rgw.a"));
}

TEST(SameKnobValue, AsTheWorldWritesIt) {
  EXPECT_TRUE(same_knob_value("4096\t131072\t6291456", "4096 131072 6291456"));
  EXPECT_TRUE(same_knob_value("0.5", "0.500000"));
  EXPECT_TRUE(same_knob_value({}, {}));
  EXPECT_FALSE(same_knob_value({}, ""));
  EXPECT_FALSE(same_knob_value("0/0", "0/5"));
  EXPECT_FALSE(same_knob_value("", "0"));
}

}  // namespace
}  // namespace lab
