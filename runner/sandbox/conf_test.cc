#include "runner/sandbox/conf.h"

#include <gtest/gtest.h>

#include <map>

#include "runner/base/text.h"

namespace lab::sandbox {
namespace {

using Sections = std::map<std::string, std::map<std::string, std::string>>;

Sections parse(const std::string& text) {
  Sections sections;
  std::string section;
  for (const std::string& raw : split(text, '\n')) {
    std::string line(trim(raw));
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    size_t equals = line.find(" = ");
    EXPECT_NE(equals, std::string::npos) << line;
    sections[section][line.substr(0, equals)] = line.substr(equals + 3);
  }
  return sections;
}

Sections conf_of(const Options& options) {
  return parse(ceph_conf({"/d"}, options, Ports{20000}, "a-b"));
}

TEST(CephConf, EverythingListensOnLoopbackInItsOwnRange) {
  Sections conf = conf_of({});
  EXPECT_EQ(conf["global"]["mon_host"], "[v2:127.0.0.1:20000,v1:127.0.0.1:20001]");
  for (const char* kind : {"mon", "mgr", "osd"}) {
    EXPECT_EQ(conf[kind]["public_addr"], "127.0.0.1");
    EXPECT_EQ(conf[kind]["cluster_addr"], "127.0.0.1");
  }
  EXPECT_EQ(conf["mgr.a"]["ms_bind_port_min"], "20008");
  EXPECT_EQ(conf["osd.0"]["ms_bind_port_min"], "20016");
  EXPECT_EQ(conf["osd.0"]["ms_bind_port_max"], "20031");
  EXPECT_EQ(conf["osd.2"]["ms_bind_port_min"], "20048");
  EXPECT_FALSE(conf.contains("osd.3"));
}

TEST(CephConf, AllFilesAreInItsDirectory) {
  for (const auto& [section, options] : conf_of({}))
    for (const auto& [name, value] : options)
      EXPECT_TRUE(!value.starts_with('/') || value.starts_with("/d/")) << section << " " << name;
}

// Every option of this version that an OSD picks by "is the disk rotational?" has to
// be the same for all kinds.
TEST(CephConf, HddAndHybridBehaveAsSsd) {
  std::map<std::string, std::string> osd = conf_of({})["osd"];
  EXPECT_EQ(osd["bluestore_debug_enforce_settings"], "ssd");
  EXPECT_EQ(osd["osd_op_num_shards_hdd"], "8");
  EXPECT_EQ(osd["osd_op_num_threads_per_shard_hdd"], "2");
  EXPECT_EQ(osd["osd_recovery_max_active_hdd"], "10");
  for (const char* sleep : {"osd_recovery_sleep", "osd_snap_trim_sleep"})
    for (const char* kind : {"_hdd", "_hybrid"})
      EXPECT_EQ(osd[std::string(sleep) + kind], "0") << sleep << kind;
  EXPECT_EQ(osd["osd_delete_sleep_hdd"], "1");
  EXPECT_EQ(osd["osd_delete_sleep_hybrid"], "1");
}

TEST(CephConf, OneOsdHasOneCopy) {
  EXPECT_EQ(conf_of({})["global"]["osd_pool_default_size"], "2");
  Sections conf = conf_of({.osds = 1});
  EXPECT_EQ(conf["global"]["osd_pool_default_size"], "1");
  EXPECT_EQ(conf["mon"]["mon_warn_on_pool_no_redundancy"], "false");
}

// A file masks what a level sets in the monitors' configuration.
TEST(CephConf, TheGatewaysFrontendsAreTheMonitorsMatter) {
  const Sections conf = conf_of({});
  ASSERT_TRUE(conf.contains("client.rgw.a"));
  EXPECT_FALSE(conf.at("client.rgw.a").contains("rgw_frontends"));
}

TEST(CephConf, NoGatewayWithoutRgw) {
  EXPECT_FALSE(conf_of({.rgw = false}).contains("client.rgw.a"));
}

}  // namespace
}  // namespace lab::sandbox
