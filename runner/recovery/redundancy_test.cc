#include "runner/recovery/redundancy.h"

#include <gtest/gtest.h>

namespace lab::recovery {
namespace {

// Four OSDs on two hosts; pool "rbd" (number 1) of two copies.
ClusterAnswers cluster(const std::string& domain = "osd") {
  ClusterAnswers c;
  c.osd_dump = Json::parse(R"({
    "pools": [{"pool": 1, "pool_name": "rbd", "size": 2, "min_size": 1, "crush_rule": 0}],
    "osds": [{"osd": 3, "up": 1, "in": 1}, {"osd": 0, "up": 1, "in": 1},
             {"osd": 1, "up": 1, "in": 1}, {"osd": 2, "up": 1, "in": 1}]})");
  c.osd_tree = Json::parse(R"({"nodes": [
    {"id": -1, "type": "root", "name": "default", "children": [-2, -3]},
    {"id": -2, "type": "host", "name": "a", "children": [0, 1]},
    {"id": -3, "type": "host", "name": "b", "children": [2, 3]},
    {"id": 0, "type": "osd", "name": "osd.0"}, {"id": 1, "type": "osd", "name": "osd.1"},
    {"id": 2, "type": "osd", "name": "osd.2"}, {"id": 3, "type": "osd", "name": "osd.3"}]})");
  c.crush_rules = Json::array(
      {{{"rule_id", 0},
        {"steps", Json::array({{{"op", "take"}, {"item", -1}},
                               {{"op", "chooseleaf_firstn"}, {"num", 0}, {"type", domain}},
                               {{"op", "emit"}}})}}});
  c.pgs = Json::parse(R"([{"pgid": "1.0", "state": "active+clean", "acting": [0, 2]},
                          {"pgid": "1.1", "state": "active+clean+scrubbing", "acting": [1, 3]}])");
  c.osd_df = Json::parse(R"({"nodes": [
    {"id": 0, "kb": 1000, "kb_used_data": 100}, {"id": 1, "kb": 1000, "kb_used_data": 100},
    {"id": 2, "kb": 1000, "kb_used_data": 100}, {"id": 3, "kb": 1000, "kb_used_data": 100}]})");
  return c;
}

std::string first(const std::vector<std::string>& reasons) {
  return reasons.empty() ? "" : reasons[0];
}

TEST(Redundancy, OneOsdOfFourMayFail) {
  EXPECT_EQ(first(obstacles(cluster(), {{3}, true, true})), "");
  EXPECT_EQ(serving_osds(cluster().osd_dump), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Redundancy, NotBothCopiesOfAGroup) {
  EXPECT_NE(first(obstacles(cluster(), {{0, 2}, true, false}))
                .find("pool rbd (size 2, min_size 1): "
                      "1 of its placement groups"),
            std::string::npos);
  // They can be drained, though.
  EXPECT_EQ(first(obstacles(cluster(), {{0, 2}, false, true})), "");
}

TEST(Redundancy, MinSizeCounts) {
  ClusterAnswers c = cluster();
  c.osd_dump["pools"][0]["min_size"] = 2;
  EXPECT_NE(first(obstacles(c, {{3}, true, true})).find("min_size 2"), std::string::npos);
  // A shard without a place is no copy.
  c.osd_dump["pools"][0]["min_size"] = 1;
  c.pgs[1]["acting"] = {2147483647, 3};
  EXPECT_NE(first(obstacles(c, {{3}, true, true})).find("(1.1)"), std::string::npos);
}

TEST(Redundancy, AHostTooFewCannotBecomeClean) {
  EXPECT_NE(
      first(obstacles(cluster("host"), {{2, 3}, false, true})).find("into another host, and 1"),
      std::string::npos);
  // It comes back when it is rebuilt.
  EXPECT_EQ(first(obstacles(cluster("host"), {{2, 3}, true, false})), "");
  EXPECT_EQ(first(obstacles(cluster("host"), {{3}, true, true})), "");
}

TEST(Redundancy, WhatIsLeftNeedsRoom) {
  ClusterAnswers c = cluster();
  for (Json& node : c.osd_df["nodes"]) node["kb_used_data"] = 700;
  EXPECT_NE(first(obstacles(c, {{3}, true, true})).find("to 93%, more than 85%"),
            std::string::npos);
}

TEST(Redundancy, OnlyFromACleanClusterAndOnlyWhatServes) {
  ClusterAnswers c = cluster();
  c.pgs[0]["state"] = "active+undersized";
  EXPECT_NE(first(obstacles(c, {{3}, true, true})).find("1 of 2 placement groups are not"),
            std::string::npos);
  c = cluster();
  c.osd_dump["osds"][0]["in"] = 0;
  EXPECT_EQ(first(obstacles(c, {{3}, true, true})), "osd.3 is not there, or not up and in");
}

}  // namespace
}  // namespace lab::recovery
