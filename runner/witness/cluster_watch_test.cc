#include "runner/witness/cluster_watch.h"

#include <gtest/gtest.h>

namespace lab::witness {
namespace {

ceph::Activity activity(std::map<std::string, uint64_t> states, uint64_t up = 3) {
  ceph::Activity a;
  a.health.status = "HEALTH_OK";
  for (const auto& [state, count] : states) a.pgs.total += count;
  a.pgs.by_state = std::move(states);
  a.osds = a.osds_in = 3;
  a.osds_up = up;
  return a;
}

Json pool_stats(double rbd, double bench) {
  return Json::array({{{"pool_name", "rbd"}, {"client_io_rate", {{"write_op_per_sec", rbd}}}},
                      {{"pool_name", "bench"}, {"client_io_rate", {{"read_op_per_sec", bench}}}},
                      {{"pool_name", "idle"}, {"client_io_rate", Json::object()}}});
}

TEST(During, KeepsTheWorstOfAllLooks) {
  During during;
  during.add(activity({{"active+clean", 32}}), {});
  during.add(activity({{"active+clean", 31}, {"active+clean+scrubbing+deep", 1}}), {});
  during.add(activity({{"active+clean", 29}, {"active+recovering+degraded", 3}}, 2), {});
  ceph::Activity slow = activity({{"active+clean", 32}});
  slow.health.reasons = {"SLOW_OPS: 7 slow ops, oldest one blocked for 31 sec"};
  slow.slow_ops = true;
  during.add(slow, {});
  EXPECT_EQ(during.looks, 4u);
  EXPECT_EQ(during.scrubbing, 1u);
  EXPECT_EQ(during.recovering, 1u);
  EXPECT_EQ(during.recovery, "3 of 32 PGs active+recovering+degraded");
  EXPECT_EQ(during.fewest_up, 2u);
  EXPECT_EQ(during.slow_ops, "SLOW_OPS: 7 slow ops, oldest one blocked for 31 sec");
}

TEST(During, PoolsHaveTheirMeanOverAllLooks) {
  During during;
  during.add(activity({}), pool_stats(100, 0));
  during.add(activity({}), pool_stats(200, 30));
  during.add(activity({}), pool_stats(300, 0));
  EXPECT_EQ(during.pool_ops.size(), 2u) << "pools without clients are left out";
  EXPECT_NEAR(during.pool_ops["rbd"], 200, 1e-9);
  EXPECT_NEAR(during.pool_ops["bench"], 10, 1e-9);
}

}  // namespace
}  // namespace lab::witness
