#include "runner/ceph/health.h"

#include <gtest/gtest.h>

namespace lab::ceph {
namespace {

Json status_with(const Json& pgs, const Json& checks, const std::string& health = "HEALTH_OK") {
  uint64_t total = 0;
  for (const Json& entry : pgs) total += entry.at("count").get<uint64_t>();
  return {{"health", {{"status", health}, {"checks", checks}}},
          {"osdmap", {{"num_osds", 3}, {"num_up_osds", 3}, {"num_in_osds", 3}}},
          {"pgmap", {{"num_pgs", total}, {"pgs_by_state", pgs}}}};
}

Json check(const std::string& message, bool muted = false) {
  return {{"severity", "HEALTH_WARN"}, {"summary", {{"message", message}}}, {"muted", muted}};
}

Json pgs(const std::string& state, uint64_t count) {
  return {{"state_name", state}, {"count", count}};
}

TEST(Activity, QuietMeansAllPgsActiveAndClean) {
  Activity activity =
      parse_status(status_with(Json::array({pgs("active+clean", 32)}), Json::object()));
  EXPECT_EQ(activity.osds_up, 3u);
  EXPECT_TRUE(all_clean(activity.pgs));
  EXPECT_TRUE(obstacles(activity).empty());
}

TEST(Activity, AClusterWithoutPgsIsNotQuiet) {
  Activity activity = parse_status(status_with(Json::array(), Json::object()));
  EXPECT_FALSE(all_clean(activity.pgs));
  EXPECT_EQ(obstacles(activity).size(), 1u);
}

TEST(Activity, AScrubDisturbsThoughThePgsAreClean) {
  Activity activity = parse_status(
      status_with(Json::array({pgs("active+clean", 31), pgs("active+clean+scrubbing+deep", 1)}),
                  Json::object()));
  EXPECT_TRUE(all_clean(activity.pgs));
  EXPECT_TRUE(is_scrubbing(activity.pgs));
  ASSERT_EQ(obstacles(activity).size(), 1u);
  EXPECT_EQ(obstacles(activity)[0], "1 of 32 PGs active+clean+scrubbing+deep");
}

TEST(Activity, DataThatMovesOrWaitsForItIsRecovery) {
  for (const char* state : {"active+recovering+degraded", "active+recovery_wait+degraded",
                            "active+remapped+backfilling", "active+remapped+backfill_toofull"})
    EXPECT_TRUE(is_recovering({1, {{state, 1}}})) << state;
  EXPECT_FALSE(is_recovering({9, {{"active+clean+scrubbing", 8}, {"active+undersized", 1}}}));
  EXPECT_FALSE(is_recovering({1, {{"active+recovering", 0}}}));
}

TEST(Activity, RecoveryIsSeenInStatesAndObjects) {
  Json status = status_with(
      Json::array({pgs("active+clean", 30), pgs("active+undersized+degraded", 2)}),
      {{"PG_DEGRADED", check("Degraded data redundancy: 7/90 objects degraded")}}, "HEALTH_WARN");
  status["pgmap"]["degraded_objects"] = 7;
  status["pgmap"]["misplaced_objects"] = 3;
  status["pgmap"]["recovering_bytes_per_sec"] = 1048576;
  Activity activity = parse_status(status);
  EXPECT_FALSE(all_clean(activity.pgs));
  EXPECT_EQ(activity.recovery_bytes_per_s, 1048576.0);
  EXPECT_EQ(obstacles(activity),
            (std::vector<std::string>{"2 of 32 PGs active+undersized+degraded",
                                      "7 degraded objects", "3 misplaced objects"}));
}

TEST(Activity, PgsThatNobodyReportsAreNotClean) {
  Json status = status_with(Json::array({pgs("active+clean", 8)}), Json::object());
  status["pgmap"]["num_pgs"] = 16;
  Activity activity = parse_status(status);
  EXPECT_FALSE(all_clean(activity.pgs));
  EXPECT_EQ(obstacles(activity)[0], "8 of 16 PGs not reported yet");
}

TEST(Activity, WarningsThatDontDisturbAreNoObstacle) {
  Activity activity = parse_status(status_with(
      Json::array({pgs("active+clean", 8)}),
      {{"OSDMAP_FLAGS", check("noscrub,nodeep-scrub flag(s) set")},
       {"SLOW_OPS", check("12 slow ops, oldest one blocked for 31 sec, osd.1 has slow ops")}},
      "HEALTH_WARN"));
  EXPECT_TRUE(activity.slow_ops);
  ASSERT_EQ(obstacles(activity).size(), 1u);
  EXPECT_EQ(obstacles(activity)[0].substr(0, 9), "SLOW_OPS:");
}

TEST(Activity, MutedChecksAreNotTold) {
  Activity activity = parse_status(status_with(Json::array({pgs("active+clean", 8)}),
                                               {{"OSD_DOWN", check("1 osds down", true)}}));
  EXPECT_TRUE(activity.health.reasons.empty());
  EXPECT_TRUE(obstacles(activity).empty());
}

TEST(Activity, AnErrorIsAnObstacleWhateverItIs) {
  Activity activity =
      parse_status(status_with(Json::array({pgs("active+clean", 8)}),
                               {{"OSD_SCRUB_ERRORS", check("1 scrub errors")}}, "HEALTH_ERR"));
  ASSERT_EQ(obstacles(activity).size(), 1u);
  EXPECT_EQ(obstacles(activity)[0], "HEALTH_ERR: OSD_SCRUB_ERRORS: 1 scrub errors");
}

}  // namespace
}  // namespace lab::ceph
