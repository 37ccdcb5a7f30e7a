#include "runner/recovery/recovery_watch.h"

#include <gtest/gtest.h>

namespace lab::recovery {
namespace {

const char* const kStatus = R"({
  "health": {"status": "HEALTH_WARN", "checks": {}},
  "osdmap": {"num_osds": 3, "num_up_osds": 2, "num_in_osds": 2},
  "pgmap": {"num_pgs": 76, "degraded_objects": 12, "misplaced_objects": 34, "pgs_by_state": [
    {"state_name": "active+clean", "count": 60},
    {"state_name": "active+clean+scrubbing", "count": 2},
    {"state_name": "active+undersized+degraded", "count": 10}]}})";

TEST(RecoveryPoint, CountsUnreportedGroupsAsUnclean) {
  const Json sums = Json::parse(
      R"({"pg_stats_sum": {"stat_sum": {"num_objects_recovered": 5, "num_bytes_recovered": 600}}})");
  const results::RecoveryPoint point = parse_point(Json::parse(kStatus), sums);
  EXPECT_EQ(point.degraded_objects, 12u);
  EXPECT_EQ(point.misplaced_objects, 34u);
  EXPECT_EQ(point.unclean_pgs, 14u);  // ten that are degraded, four of which nothing is known
  EXPECT_EQ(point.recovered_objects, 5u);
  EXPECT_EQ(point.recovered_bytes, 600u);
  EXPECT_EQ(parse_point(Json::parse(kStatus), {{"pg_ready", true}, {"pg_map", sums}}), point);
}

}  // namespace
}  // namespace lab::recovery
