#include "runner/tuning/found_values.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "runner/tuning/daemon_name.h"
#include "tests/complaint.h"

namespace lab {
namespace {

FoundOptions two_gateways() {
  return {[](const std::string& who) {
            std::vector<std::string> daemons;
            for (const char* daemon : {"osd.0", "rgw.a", "rgw.b"})
              if (reaches(who, daemon)) daemons.emplace_back(daemon);
            return daemons;
          },
          [](const std::string& daemon, const std::string& option) -> std::string {
            if (option == "empty") return "";
            return daemon == "rgw.b" ? "beast port=8001" : "beast port=8000";
          }};
}

std::vector<std::string> described(const std::vector<Setting>& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : with_found_values(settings, two_gateways()))
    texts.push_back(describe(setting));
  return texts;
}

TEST(FoundValues, EachDaemonBuildsOnItsOwn) {
  EXPECT_EQ(described({ConfigOptions{"client.rgw",
                                     {{"rgw_frontends", "{found} tcp_nodelay=1"}, {"x", "1"}}}}),
            (std::vector<std::string>{
                "config client.rgw x=1",
                "config client.rgw.a rgw_frontends=beast port=8000 tcp_nodelay=1",
                "config client.rgw.b rgw_frontends=beast port=8001 tcp_nodelay=1"}));
}

TEST(FoundValues, NothingFoundLeavesWhatIsAdded) {
  EXPECT_EQ(described({ConfigOptions{"client.rgw.a", {{"empty", "{found} a=1"}}}}),
            std::vector<std::string>{"config client.rgw.a empty=a=1"});
}

TEST(FoundValues, MasksAreKept) {
  EXPECT_EQ(described({ConfigOptions{"osd/class:ssd", {{"x", "{found}"}}}}),
            std::vector<std::string>{"config osd.0/class:ssd x=beast port=8000"});
}

TEST(FoundValues, WhatALaterSettingSetsOtherwiseIsNotAskedFor) {
  EXPECT_EQ(described({ConfigOptions{"client.rgw", {{"rgw_frontends", "{found} a=1"}}},
                       ConfigOptions{"client.rgw", {{"rgw_frontends", "beast port=1"}}},
                       ConfigOptions{"osd", {{"x", {}}}}, CacheMode{"off"}}),
            (std::vector<std::string>{"config client.rgw rgw_frontends=beast port=1",
                                      "config osd no x", "rbd cache off"}));
}

TEST(FoundValues, APlaceWithoutADaemonIsAnError) {
  const std::string text = complaint([] {
    described({ConfigOptions{"mds", {{"x", "{found} y"}}}});
  });
  EXPECT_NE(text.find("no daemon of mds"), std::string::npos) << text;
}

}  // namespace
}  // namespace lab
