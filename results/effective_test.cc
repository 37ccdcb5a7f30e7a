#include "results/effective.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::results {
namespace {

constexpr const char* kOpen =
    R"({"event":"open","engine":"rbd","job":"randwrite","subjob":0,"pid":7,"image":"lab","size_bytes":1073741824,"ceph_version":"16.2.15","cache_asked":"writeback","cache_effective":"writeback","cache_objects":"objectcacher","options":{"rbd_cache":{"value":"true","source":"config"}}})"
    "\n";
constexpr const char* kClose =
    R"({"event":"close","engine":"rbd","job":"randwrite","subjob":1,"flush_s":2.25,"reads":1,"writes":9000,"trims":0,"syncs":3,"errors":0,"zero_reads":4})"
    "\n";

TEST(ParseEffective, ReadsBothEvents) {
  Effective e = parse_effective(std::string(kOpen) + kClose, "e");
  ASSERT_EQ(e.opens.size(), 1u);
  EXPECT_EQ(e.opens[0].cache_objects, "objectcacher");
  EXPECT_EQ(e.opens[0].size_bytes, 1073741824u);
  ASSERT_EQ(e.closes.size(), 1u);
  EXPECT_EQ(e.closes[0].subjob, 1);
  EXPECT_DOUBLE_EQ(e.closes[0].flush_s, 2.25);
  EXPECT_EQ(e.closes[0].zero_reads, 4u);
  EXPECT_FALSE(e.truncated);
}

TEST(ParseEffective, AKilledWritersLastLineIsLeftOutAndReported) {
  std::string whole = std::string(kOpen) + kClose;
  for (size_t cut = 1; cut < std::string_view(kClose).size(); ++cut) {
    Effective e = parse_effective(std::string_view(whole).substr(0, whole.size() - cut), "e");
    EXPECT_EQ(e.opens.size(), 1u);
    EXPECT_TRUE(e.closes.empty());
    EXPECT_TRUE(e.truncated);
  }
}

TEST(ParseEffective, ABrokenLineElsewhereIsNamed) {
  try {
    parse_effective(std::string(kOpen) + "{\"event\":\n" + kClose, "effective.jsonl");
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("effective.jsonl:2: ")) << e.what();
  }
}

TEST(ParseEffective, AWrongTypeIsNamed) {
  try {
    parse_effective("\n{\"event\":\"close\",\"flush_s\":\"long\"}\n", "e");
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("e:2: \"flush_s\"")) << e.what();
  }
}

TEST(ParseEffective, UnknownEventsAreLeftAlone) {
  EXPECT_TRUE(parse_effective("{\"event\":\"tick\"}\n", "e").opens.empty());
}

}  // namespace
}  // namespace lab::results
