#include "runner/witness/cluster_sight.h"

#include <gtest/gtest.h>

namespace lab::witness {
namespace {

TEST(ParseCounters, ReadsThoseOfTheOsd) {
  const Json dump = Json::parse(R"({"osd": {
    "op_r": 10, "op_w": 20, "op_rw": 3, "op_in_bytes": 4096, "op_out_bytes": 8192,
    "subop_w": 40, "op_latency": {"avgcount": 1}}})");
  EXPECT_EQ(parse_counters(dump), (OsdCounters{10, 23, 4096, 8192}));
}

TEST(ParseCounters, ADaemonWithoutThemHasNone) {
  EXPECT_FALSE(parse_counters({}));
  EXPECT_FALSE(parse_counters("unknown command"));
  EXPECT_FALSE(parse_counters({{"osd", Json::object()}}));
}

TEST(ParseOsdMap, SortsAndTellsSinceWhenEachIsUp) {
  const Json dump = {{"osds",
                      {{{"osd", 2}, {"up", 0}, {"in", 1}, {"up_from", 9}},
                       {{"osd", 0}, {"up", 1}, {"in", 1}, {"up_from", 41}}}}};
  const std::vector<OsdSight> osds = parse_osd_map(dump);
  ASSERT_EQ(osds.size(), 2u);
  EXPECT_EQ(osds[0].id, 0);
  EXPECT_TRUE(osds[0].up);
  EXPECT_EQ(osds[0].up_from, 41u);
  EXPECT_EQ(osds[1].id, 2);
  EXPECT_FALSE(osds[1].up);
  EXPECT_TRUE(osds[1].in);
}

}  // namespace
}  // namespace lab::witness
