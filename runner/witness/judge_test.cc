#include "runner/witness/judge.h"

#include <gtest/gtest.h>

namespace lab::witness {
namespace {

using results::Mark;
using results::Weight;

ClusterSight quiet() {
  ClusterSight s;
  s.activity.health.status = "HEALTH_OK";
  s.activity.pgs = {32, {{"active+clean", 32}}};
  s.activity.osds = s.activity.osds_up = s.activity.osds_in = 3;
  for (int id = 0; id < 3; ++id)
    s.osds.push_back({id, true, true, 5, ProcessId{100 + id, 7}, OsdCounters{}});
  return s;
}

std::vector<Mark> judge(const ClusterSight& after, const ClusterSight& before = quiet(),
                        const During& during = {}) {
  return judge_cluster(before, after, during, {}, 4 << 20);
}

// The only mark, as code and weight.
std::string only(const std::vector<Mark>& marks) {
  if (marks.size() != 1) return fmt::format("{} marks", marks.size());
  return fmt::format("{} {}", marks[0].code, results::to_text(marks[0].weight));
}

TEST(JudgeCluster, AQuietOneHasNoMark) { EXPECT_TRUE(judge(quiet()).empty()); }

TEST(JudgeCluster, AnOsdThatIsUpSinceAnotherEpochWasRestarted) {
  ClusterSight after = quiet();
  after.osds[1].up_from = 9;
  const std::vector<Mark> marks = judge(after);
  EXPECT_EQ(only(marks), "osd-restarted invalid");
  EXPECT_NE(marks[0].text.find("osd.1 "), std::string::npos) << marks[0].text;
}

TEST(JudgeCluster, AnotherProcessIsARestart) {
  ClusterSight after = quiet();
  after.osds[0].process = ProcessId{100, 8};
  EXPECT_EQ(only(judge(after)), "osd-restarted invalid");
  after.osds[0].process.reset();
  EXPECT_TRUE(judge(after).empty()) << "one that we may not look at";
}

TEST(JudgeCluster, AnOsdThatIsDownOrGoneIsInvalid) {
  ClusterSight after = quiet();
  after.osds[2].up = false;
  EXPECT_EQ(only(judge(after)), "osd-down invalid");
  after.osds.pop_back();
  EXPECT_EQ(only(judge(after)), "osd-down invalid");
}

TEST(JudgeCluster, AnOsdThatWasDownInBetweenIsInvalid) {
  During during;
  during.looks = 3;
  during.fewest_up = 2;
  EXPECT_EQ(only(judge(quiet(), quiet(), during)), "osd-down invalid");
}

TEST(JudgeCluster, OneThatIsDownAllTheTimeIsNoNews) {
  ClusterSight down = quiet();
  down.osds[2].up = down.osds[2].in = false;
  EXPECT_TRUE(judge(down, down).empty());
}

TEST(JudgeCluster, DataMovesWhenAnOsdBecomesOutOrComes) {
  ClusterSight after = quiet();
  after.osds[2].in = false;
  EXPECT_EQ(only(judge(after)), "osd-in-changed doubtful");
  after = quiet();
  after.osds.push_back({3, true, true, 8, {}, OsdCounters{}});
  EXPECT_EQ(only(judge(after)), "osd-in-changed doubtful");
}

TEST(JudgeCluster, NewHealthReasonsAreDoubtful) {
  ClusterSight after = quiet();
  after.activity.health = {"HEALTH_WARN", {"MON_DOWN: 1/3 mons down", "POOL_FULL: 1 pool(s) full"}};
  const std::vector<Mark> marks = judge(after);
  ASSERT_EQ(only(marks), "health-worse doubtful");
  EXPECT_EQ(marks[0].text,
            "the cluster's health went from HEALTH_OK to HEALTH_WARN: MON_DOWN: 1/3 mons down, "
            "POOL_FULL: 1 pool(s) full");
  EXPECT_EQ(only(judge(after, after)), "cluster-not-quiet doubtful") << "known before";
}

TEST(JudgeCluster, RemindersThatSayNothingOfTheRunAreANote) {
  ClusterSight after = quiet();
  after.activity.health = {"HEALTH_WARN", {"PG_NOT_SCRUBBED: 3 pgs not scrubbed in time"}};
  EXPECT_EQ(only(judge(after)), "health-worse note");
}

TEST(JudgeCluster, SlowOpsAreDoubtfulWheneverTheyWere) {
  During during;
  during.looks = 1;
  during.fewest_up = 3;
  during.slow_ops = "SLOW_OPS: 7 slow ops";
  const std::vector<Mark> marks = judge(quiet(), quiet(), during);
  EXPECT_EQ(only(marks), "slow-ops doubtful");
  EXPECT_NE(marks[0].text.find("7 slow ops"), std::string::npos);
}

TEST(JudgeCluster, AScrubIsSeenBeforeDuringAndAfter) {
  ClusterSight scrubbing = quiet();
  scrubbing.activity.pgs = {32, {{"active+clean", 31}, {"active+clean+scrubbing", 1}}};
  EXPECT_EQ(only(judge(scrubbing)), "scrub-ran doubtful");
  EXPECT_EQ(only(judge(quiet(), scrubbing)), "scrub-ran doubtful");
  During during;
  during.looks = 5;
  during.fewest_up = 3;
  during.scrubbing = 2;
  const std::vector<Mark> marks = judge(scrubbing, quiet(), during);
  ASSERT_EQ(only(marks), "scrub-ran doubtful");
  EXPECT_EQ(marks[0].text,
            "PGs were scrubbed beside the run, seen in 2 of 5 looks during it, at its end");
}

TEST(JudgeCluster, RecoveryIsSeenBeforeDuringAndAfter) {
  ClusterSight recovering = quiet();
  recovering.activity.pgs = {32, {{"active+clean", 30}, {"active+remapped+backfilling", 2}}};
  EXPECT_EQ(only(judge(quiet(), recovering)), "recovery-ran doubtful");
  const std::vector<Mark> marks = judge(recovering);
  ASSERT_EQ(only(marks), "recovery-ran doubtful");
  EXPECT_NE(marks[0].text.find("2 of 32 PGs active+remapped+backfilling"), std::string::npos);
  During during;
  during.looks = 4;
  during.fewest_up = 3;
  during.recovering = 1;
  during.recovery = "1 of 32 PGs active+recovering";
  EXPECT_EQ(only(judge(quiet(), quiet(), during)), "recovery-ran doubtful");
}

TEST(JudgeCluster, WhatElseIsNotQuietAtTheEndIsDoubtful) {
  ClusterSight after = quiet();
  after.activity.pgs = {32, {{"active+clean", 31}, {"peering", 1}}};
  EXPECT_EQ(only(judge(after)), "cluster-not-quiet doubtful");
}

TEST(JudgeCluster, OsdsThatDoNotTellTheirCountersAreANote) {
  ClusterSight after = quiet();
  after.osds[1].counters.reset();
  const std::vector<Mark> marks = judge(after);
  EXPECT_EQ(only(marks), "osd-counters-unread note");
  EXPECT_NE(marks[0].text.find("osd.1"), std::string::npos);
}

TEST(JudgeCluster, OthersTrafficIsMarked) {
  ClusterSight after = quiet();
  after.at_s = 10;
  after.osds[0].counters = OsdCounters{.writes = 60'000};
  ClientAccount client;
  client.whole = true;
  client.writes = 50'000;
  client.write_bytes = 4096;
  client.cached = false;
  EXPECT_EQ(only(judge_cluster(quiet(), after, {}, client, 4 << 20)), "foreign-traffic doubtful");
}

HostSight host(uint64_t cpu, uint64_t idle, uint64_t stolen = 0, unsigned osds = 0) {
  HostSight h;
  h.cpu_ticks = cpu;
  h.idle_ticks = idle;
  h.stolen_ticks = stolen;
  h.osds_here = osds;
  return h;
}

TEST(JudgeHost, AnIdleOneHasNoMark) {
  EXPECT_TRUE(judge_host(host(0, 0), host(1000, 900), {}).empty());
}

TEST(JudgeHost, AnOomKillIsInvalid) {
  HostSight after = host(1000, 900);
  after.oom_kills = 1;
  EXPECT_EQ(only(judge_host(host(0, 0), after, {})), "oom-kill invalid");
}

TEST(JudgeHost, SwappingIsDoubtfulAndAFewPagesAreNone) {
  HostSight after = host(1000, 900);
  after.pages_swapped_in = 20;
  EXPECT_TRUE(judge_host(host(0, 0), after, {}).empty());
  after.pages_swapped_out = 5000;
  EXPECT_EQ(only(judge_host(host(0, 0), after, {})), "swapping doubtful");
}

TEST(JudgeHost, StolenTimeIsDoubtful) {
  EXPECT_TRUE(judge_host(host(0, 0), host(1000, 500, 90), {}).empty());
  EXPECT_EQ(only(judge_host(host(0, 0), host(1000, 500, 150), {})), "cpu-stolen doubtful");
}

TEST(JudgeHost, AThreadThatIsAlwaysBusyIsTheLimit) {
  EXPECT_TRUE(judge_host(host(0, 0), host(1000, 500), BusyThread{"fio", 94}).empty());
  const BusyThread busy{"msgr-worker-0", 98.6};
  const std::vector<Mark> marks = judge_host(host(0, 0), host(1000, 500), busy);
  ASSERT_EQ(only(marks), "client-bound doubtful");
  EXPECT_NE(marks[0].text.find("msgr-worker-0 was busy for 99% of the time"), std::string::npos);
  EXPECT_EQ(only(judge_host(host(0, 0, 0, 3), host(1000, 500, 0, 3), busy)), "client-bound note")
      << "where OSDs share its cores";
}

TEST(JudgeHost, AClientHostWithoutIdleCoresIsTheLimit) {
  EXPECT_EQ(only(judge_host(host(0, 0), host(1000, 10), {})), "client-host-busy doubtful");
  EXPECT_TRUE(judge_host(host(0, 0, 0, 1), host(1000, 10, 0, 1), {}).empty())
      << "where OSDs share its cores";
}

TEST(JudgeHost, CountersThatCouldNotBeReadSayNothing) {
  HostSight before = host(1000, 10, 500);
  before.pages_swapped_out = 1'000'000;
  before.oom_kills = 3;
  EXPECT_TRUE(judge_host(before, {}, {}).empty());
}

}  // namespace
}  // namespace lab::witness
