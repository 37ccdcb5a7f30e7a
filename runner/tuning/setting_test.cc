#include "runner/tuning/setting.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

Setting parse(const std::string& text) {
  return parse_setting(JsonDocument::parse(text, "m.json"), "");
}

TEST(Setting, GoesThroughJsonAndIsDescribed) {
  const std::vector<std::pair<std::string, std::string>> settings = {
      {R"({"config":{"osd/class:ssd":{"debug_ms":"0/0","debug_osd":null}}})",
       "config osd/class:ssd debug_ms=0/0 no debug_osd"},
      {R"({"environment":{"osd":{"MALLOC_CONF":"narenas:4","X":null}}})",
       "environment of osd MALLOC_CONF=narenas:4 no X"},
      {R"({"allocator":{"rgw":"jemalloc"}})", "allocator of rgw jemalloc"},
      {R"({"allocator":{"client":"/opt/libx.so"}})", "allocator of client /opt/libx.so"},
      {R"({"program":{"osd.0":"/opt/ceph-osd"}})", "program of osd.0 /opt/ceph-osd"},
      {R"({"sysctl":{"vm.swappiness":1}})", "sysctl vm.swappiness=1"}};
  for (const auto& [text, described] : settings) {
    const Setting setting = parse(text);
    EXPECT_EQ(describe(setting), described);
    EXPECT_EQ(describe(parse(json_line(to_json(setting)))), described);
  }
}

TEST(Setting, SaysWhatItTakes) {
  EXPECT_TRUE(always_restarts(parse(R"({"allocator":{"osd":"jemalloc"}})")));
  EXPECT_FALSE(always_restarts(parse(R"({"allocator":{"client":"jemalloc"}})")));
  EXPECT_FALSE(always_restarts(parse(R"({"config":{"osd":{"debug_ms":"0/0"}}})")));
  EXPECT_TRUE(changes_world(parse(R"({"config":{"osd":{"debug_ms":"0/0"}}})")));
  EXPECT_FALSE(changes_world(parse(R"({"job":{"iodepth":1}})")));
}

TEST(Setting, PlacesAreAsTheMonitorsStoreThem) {
  for (const auto& [who, stored] : std::vector<std::pair<std::string, std::string>>{
           {"osd", "osd"},
           {"class:ssd", "global/class:ssd"},
           {"osd/class:ssd/host:a", "osd/host:a/class:ssd"},
           {"osd.1", "osd.1"},
           {"rgw", "client.rgw"},
           {"rgw.a", "client.rgw.a"},
           {"client.rgw.a", "client.rgw.a"}})
    EXPECT_EQ(canonical_place(who), stored);
  EXPECT_EQ(describe(parse(R"({"config":{"host:a":{"debug ms":"0/0"}}})")),
            "config global/host:a debug_ms=0/0");
}

TEST(Setting, LaterOnesGoBeforeEarlierOnes) {
  std::vector<std::string> left;
  for (const Setting& setting :
       in_force({ConfigOptions{"osd", {{"a", "1"}, {"b", "2"}}}, ConfigOptions{"mon", {{"a", "1"}}},
                 AllocatorChoice{"osd", "as-linked"}, CacheMode{"off"},
                 ConfigOptions{"osd", {{"a", {}}}}, AllocatorChoice{"osd", "jemalloc"}}))
    left.push_back(describe(setting));
  EXPECT_EQ(left, (std::vector<std::string>{"config osd b=2", "config mon a=1", "rbd cache off",
                                            "config osd no a", "allocator of osd jemalloc"}));
}

TEST(Setting, MistakesAreNamedWithTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {R"({"allocator":{"osd":"jemaloc"}})", "did you mean \"jemalloc\""},
      {R"({"allocator":{"osds":"jemalloc"}})", "\"osds\" is no kind of process"},
      {R"({"program":{"client":"/x"}})", "\"client\" is no kind of process"},
      {R"({"config":{"osd":{"a":1},"mon":{"b":2}}})", "one key"},
      {R"({"config":{"osd":{"a":[1]}}})", "must be a text"},
      {"{\"environment\":{\"osd\":{\"A\":\"b\\nExecStart=x\"}}}", "control characters"},
      {R"({"environment":{"rgw":{"A":"{found} b"}}})", "only values of \"config\""},
      {R"({"client":{"rbd_x":"{found}"}})", "only values of \"config\""},
      {R"({"configs":{"osd":{}}})", "did you mean \"config\""}};
  for (const auto& [text, expected] : mistakes) {
    const std::string& json = text;
    const std::string said = complaint([&] { parse(json); });
    EXPECT_NE(said.find("m.json:1: "), std::string::npos) << said;
    EXPECT_NE(said.find(expected), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace lab
