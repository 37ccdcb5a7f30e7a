#include "runner/ceph/conditions.h"

#include <gtest/gtest.h>

#include "runner/base/text.h"

namespace lab::ceph {
namespace {

TEST(Versions, Short) {
  EXPECT_EQ(short_version("ceph version 16.2.15 (618f44) pacific (stable)"), "16.2.15");
  EXPECT_EQ(short_version("16.2.15"), "16.2.15");
  EXPECT_EQ(short_version(""), "");
}

TEST(Versions, OneForAllIsToldOnce) {
  Json versions = {{"mon", {{"ceph version 16.2.15 (a) pacific (stable)", 3}}},
                   {"osd", {{"ceph version 16.2.15 (a) pacific (stable)", 12}}},
                   {"mds", Json::object()},
                   {"overall", {{"ceph version 16.2.15 (a) pacific (stable)", 15}}}};
  EXPECT_EQ(summarize_versions(versions), "16.2.15");
}

TEST(Versions, AMixtureIsToldByDaemons) {
  Json versions = {{"mon", {{"ceph version 17.2.7 (b) quincy (stable)", 3}}},
                   {"osd",
                    {{"ceph version 16.2.15 (a) pacific (stable)", 4},
                     {"ceph version 17.2.7 (b) quincy (stable)", 8}}}};
  EXPECT_EQ(summarize_versions(versions), "16.2.15 (4 osd), 17.2.7 (3 mon, 8 osd)");
}

TEST(Versions, TheClientsOwnIsKnown) {
  std::string version = client_version();
  EXPECT_EQ(split(version, '.').size(), 3u) << version;
}

TEST(Address, WithAndWithoutBracketsAndNonce) {
  EXPECT_EQ(parse_address("127.0.0.1:6800/1234"), (hosts::Endpoint{"127.0.0.1", 6800}));
  EXPECT_EQ(parse_address("[0:0::1]:6801/7"), (hosts::Endpoint{"::1", 6801}));
  EXPECT_EQ(parse_address("10.0.0.5:6802"), (hosts::Endpoint{"10.0.0.5", 6802}));
}

TEST(Address, NoneIfItIsNone) {
  for (const char* text : {"", "-", ":/0", "127.0.0.1:0/0", "host:6800", "127.0.0.1:99999"})
    EXPECT_FALSE(parse_address(text)) << text;
}

TEST(Osds, OneLineOfEachSource) {
  Json address = {
      {"addrvec", Json::array({{{"type", "v2"}, {"addr", "127.0.0.1:6802"}, {"nonce", 9}},
                               {{"type", "v1"}, {"addr", "127.0.0.1:6803"}}})}};
  Json dump = {{"osds", Json::array({{{"osd", 0}, {"up", 1}, {"in", 1}, {"public_addrs", address}},
                                     {{"osd", 2}, {"up", 0}, {"in", 1}, {"public_addr", ":/0"}}})}};
  Json metadata = Json::array(
      {{{"id", 0}, {"hostname", "alpha"}, {"ceph_version_short", "16.2.15"}}, {{"id", 2}}});
  std::vector<Osd> osds = parse_osds(dump, metadata);
  ASSERT_EQ(osds.size(), 2u);
  EXPECT_EQ(osds[0].host, "alpha");
  EXPECT_EQ(osds[0].version, "16.2.15");
  EXPECT_EQ(osds[0].address, (hosts::Endpoint{"127.0.0.1", 6802}));
  EXPECT_TRUE(osds[0].up);
  EXPECT_FALSE(osds[0].process);
  EXPECT_FALSE(osds[1].up);
  EXPECT_TRUE(osds[1].in);
  EXPECT_EQ(osds[1].host, "");
}

TEST(Pool, FactsAndFailureDomain) {
  Json rules = Json::array({{{"rule_id", 0},
                             {"steps", Json::array({{{"op", "take"}},
                                                    {{"op", "chooseleaf_firstn"}, {"type", "host"}},
                                                    {{"op", "emit"}}})}},
                            {{"rule_id", 1},
                             {"steps", Json::array({{{"op", "set_chooseleaf_tries"}},
                                                    {{"op", "take"}},
                                                    {{"op", "choose_indep"}, {"type", "rack"}},
                                                    {{"op", "chooseleaf_indep"}, {"type", "osd"}},
                                                    {{"op", "emit"}}})}}});
  Json dump = {{"pools", Json::array({{{"pool_name", "rbd"},
                                       {"type", 1},
                                       {"size", 3},
                                       {"min_size", 2},
                                       {"pg_num", 64},
                                       {"crush_rule", 0},
                                       {"erasure_code_profile", ""}},
                                      {{"pool_name", "ec"},
                                       {"type", 3},
                                       {"size", 6},
                                       {"min_size", 5},
                                       {"pg_num", 32},
                                       {"crush_rule", 1},
                                       {"erasure_code_profile", "k4m2"}}})}};
  std::optional<Pool> rbd = parse_pool(dump, rules, "rbd");
  ASSERT_TRUE(rbd);
  EXPECT_EQ(rbd->type, "replicated");
  EXPECT_EQ(rbd->size, 3);
  EXPECT_EQ(rbd->pg_num, 64);
  EXPECT_EQ(rbd->failure_domain, "host");
  EXPECT_EQ(rbd->erasure_profile, "");
  std::optional<Pool> ec = parse_pool(dump, rules, "ec");
  ASSERT_TRUE(ec);
  EXPECT_EQ(ec->type, "erasure");
  EXPECT_EQ(ec->failure_domain, "osd");
  EXPECT_EQ(ec->erasure_profile, "k4m2");
  EXPECT_FALSE(parse_pool(dump, rules, "none"));
}

}  // namespace
}  // namespace lab::ceph
