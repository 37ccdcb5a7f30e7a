#include "runner/witness/traffic.h"

#include <gtest/gtest.h>

namespace lab::witness {
namespace {

using results::Mark;
using results::Weight;

constexpr uint64_t kObject = 4 << 20;

ClusterSight sight(double at_s, std::vector<OsdCounters> counters) {
  ClusterSight s;
  s.at_s = at_s;
  for (size_t i = 0; i < counters.size(); ++i)
    s.osds.push_back({static_cast<int>(i), true, true, 5, {}, counters[i]});
  return s;
}

ClientAccount client(uint64_t reads, uint64_t writes, std::optional<bool> cached = false) {
  ClientAccount c;
  c.whole = true;
  c.reads = reads;
  c.writes = writes;
  c.read_bytes = c.write_bytes = 4096;
  c.opens = 1;
  c.cached = cached;
  return c;
}

std::vector<Mark> judge(uint64_t reads, uint64_t writes, const ClientAccount& c,
                        const During& during = {}) {
  return judge_traffic({reads, writes, 10, reads * 4096, writes * 4096}, during, c, kObject);
}

TEST(ServedBetween, SumsWhatTheOsdsCounted) {
  const auto served =
      served_between(sight(100, {{10, 20}, {5, 5}}), sight(130, {{30, 21}, {5, 9}}));
  ASSERT_TRUE(served);
  EXPECT_EQ(served->reads, 20u);
  EXPECT_EQ(served->writes, 5u);
  EXPECT_EQ(served->seconds, 30);
}

TEST(ServedBetween, IsNotKnownWhereACounterIsMissingOrBeganAnew) {
  const ClusterSight before = sight(0, {{10, 20}, {5, 5}});
  ClusterSight after = sight(1, {{10, 20}, {5, 5}});
  EXPECT_TRUE(served_between(before, after));
  after.osds[1].counters.reset();
  EXPECT_FALSE(served_between(before, after)) << "it did not tell";
  EXPECT_FALSE(served_between(before, sight(1, {{10, 20}, {4, 5}}))) << "perf reset";
  after = sight(1, {{10, 20}, {500, 500}});
  after.osds[1].up_from = 6;
  EXPECT_FALSE(served_between(before, after)) << "started anew";
  EXPECT_FALSE(served_between(before, sight(1, {{10, 20}}))) << "gone";
  EXPECT_FALSE(served_between({}, {}));
}

TEST(ServedBetween, AnOsdThatIsDownAllTheTimeServesNothing) {
  ClusterSight before = sight(0, {{1, 1}, {0, 0}});
  ClusterSight after = sight(1, {{4, 1}, {0, 0}});
  for (ClusterSight* s : {&before, &after}) {
    s->osds[1].up = false;
    s->osds[1].counters.reset();
  }
  ASSERT_TRUE(served_between(before, after));
  EXPECT_EQ(served_between(before, after)->reads, 3u);
}

TEST(ExpectedOps, LargeAndOddBlocksAreSeveral) {
  EXPECT_EQ(expected_ops(100, 4096, kObject).most, 100);
  EXPECT_EQ(expected_ops(100, 3 * kObject, kObject).least, 300);
  EXPECT_EQ(expected_ops(100, 3 * kObject, kObject).most, 300);
  const Range odd = expected_ops(100, 3 << 20, kObject);
  EXPECT_EQ(odd.least, 100);
  EXPECT_EQ(odd.most, 175);
  EXPECT_EQ(expected_ops(100, 4096, 0).most, 100) << "the object size isn't known";
}

TEST(JudgeTraffic, WhatOpeningAndHousekeepingTakeIsNoMark) {
  EXPECT_TRUE(judge(100'250, 50'100, client(100'000, 50'000)).empty());
  EXPECT_TRUE(judge(300, 20, client(100, 0)).empty()) << "a small run";
}

TEST(JudgeTraffic, MoreThanTheClientDidIsOthersTraffic) {
  During during;
  during.looks = 1;
  during.pool_ops = {{"rbd", 10'000}, {"bench", 2'100}};
  const std::vector<Mark> marks = judge(100'000, 71'000, client(100'000, 50'000), during);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].code, "foreign-traffic");
  EXPECT_EQ(marks[0].weight, Weight::doubtful);
  EXPECT_EQ(marks[0].text,
            "the OSDs served 100000 reads and 71000 writes, this client did 100000 and 50000: "
            "other clients loaded the cluster with about 2100 operations and 8.2 MiB a second (by "
            "pool: rbd "
            "10000/s, bench 2100/s)");
}

TEST(JudgeTraffic, FewLargeOperationsOfOthersShowInBytes) {
  const Traffic served{100'300, 50'000, 10, 100'000 * 4096 + (uint64_t{300} << 22), 50'000 * 4096};
  const std::vector<Mark> marks = judge_traffic(served, {}, client(100'000, 50'000), kObject);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].code, "foreign-traffic");
  EXPECT_NE(marks[0].text.find("120 MiB a second"), std::string::npos) << marks[0].text;
}

TEST(JudgeTraffic, ReadaheadOfACacheIsItsOwn) {
  const Traffic served{900, 0, 10, 1000 * 4096 + (uint64_t{50} << 20), 0};
  EXPECT_TRUE(judge_traffic(served, {}, client(1000, 0, true), kObject).size() == 1);
  EXPECT_EQ(judge_traffic(served, {}, client(1000, 0, false), kObject)[0].code, "foreign-traffic");
}

TEST(JudgeTraffic, WritesThatLibrbdMergesAreANoteAsAllTheirDataArrives) {
  const Traffic served{0, 7000, 10, 0, 50'000 * 4096};
  const std::vector<Mark> marks = judge_traffic(served, {}, client(0, 50'000), kObject);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].code, "writes-merged");
  EXPECT_EQ(marks[0].weight, Weight::note);
  EXPECT_NE(marks[0].text.find("86% of the writes were merged"), std::string::npos);
}

TEST(JudgeTraffic, OthersAreSeenBesideACacheToo) {
  const std::vector<Mark> marks = judge(0, 50'000, client(100'000, 10'000, true));
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].code, "foreign-traffic");
  EXPECT_EQ(marks[1].code, "cache-share");
}

TEST(JudgeTraffic, WithTheCacheOffLessThanTheClientDidIsInvalid) {
  std::vector<Mark> marks = judge(60'000, 50'000, client(100'000, 50'000));
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].code, "reads-unserved");
  EXPECT_EQ(marks[0].weight, Weight::invalid);
  EXPECT_NE(marks[0].text.find("40% were answered without the cluster"), std::string::npos);
  marks = judge(100'000, 40'000, client(100'000, 50'000));
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].code, "writes-unserved");
}

TEST(JudgeTraffic, WhereTheCacheIsNotKnownItIsDoubtful) {
  const std::vector<Mark> marks = judge(60'000, 50'000, client(100'000, 50'000, {}));
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].code, "reads-unserved");
  EXPECT_EQ(marks[0].weight, Weight::doubtful);
}

TEST(JudgeTraffic, ACacheTellsItsShare) {
  const std::vector<Mark> marks = judge(75'000, 48'000, client(100'000, 50'000, true));
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].weight, Weight::note);
  EXPECT_EQ(marks[0].text,
            "the client's cache served 25% of the reads, and coalesced 4% of the writes");
  EXPECT_TRUE(judge(100'000, 50'000, client(100'000, 50'000, true)).empty())
      << "a cache that did nothing";
}

TEST(JudgeTraffic, TrimsAreWritesThatMayBeNone) {
  ClientAccount c = client(0, 50'000);
  c.trims = 50'000;
  c.trim_bytes = 4096;
  EXPECT_TRUE(judge(0, 100'000, c).empty());
  EXPECT_TRUE(judge(0, 50'000, c).empty());
}

TEST(JudgeTraffic, APartialAccountIsHeldAgainstNothing) {
  ClientAccount c = client(10, 10);
  c.whole = false;
  EXPECT_TRUE(judge(100'000, 0, c).empty());
}

}  // namespace
}  // namespace lab::witness
