#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "runner/tuning/ceph_tuned_cluster.h"
#include "runner/tuning/cluster_board.h"
#include "runner/tuning/host_board.h"
#include "tests/complaint.h"

namespace lab {
namespace {

TEST(ClusterBoard, ConfigurationIsThatOfExactlyItsPlace) {
  const KnobValues values = configured_values(Json::parse(R"([
    {"section": "global", "name": "debug_ms", "value": "1/1", "mask": ""},
    {"section": "osd", "name": "debug_ms", "value": "0/0", "mask": "class:ssd"},
    {"section": "osd", "name": "debug_osd", "value": "2/2", "mask": ""}])"));
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(values.at({KnobKind::config, "osd/class:ssd", "debug_ms"}), "0/0");
  EXPECT_FALSE(values.contains({KnobKind::config, "osd", "debug_ms"}));
  EXPECT_EQ(values.at({KnobKind::config, "global", "debug_ms"}), "1/1");
}

TEST(ClusterBoard, OneMapHasFlagsAutoscalerAndWeights) {
  const KnobValues values = values_of_osd_map(Json::parse(
      R"({"flags": "noout,sortbitwise", "pools": [{"pool_name": "rbd", "pg_autoscale_mode": "warn"}],
          "osds": [{"osd": 2, "weight": 0.5}]})"));
  EXPECT_EQ(values.at({KnobKind::reweight, "osd.2", ""}), "0.5");
  EXPECT_EQ(values.at({KnobKind::osd_flag, "", "noout"}), "on");
  EXPECT_FALSE(values.contains({KnobKind::osd_flag, "", "noscrub"}));
  EXPECT_EQ(values.at({KnobKind::autoscale, "rbd", ""}), "warn");
}

TEST(HostBoard, WritesTheKernelsParameterWhereItIs) {
  const TemporaryDirectory root;
  make_directories(root.path() / "net" / "ipv4" / "conf" / "eth0.1");
  const fs::path file = root.path() / "net/ipv4/conf/eth0.1/rp_filter";
  write_file_atomically(file, "2\n");
  HostBoard board(root.path());
  const Knob knob{KnobKind::sysctl, "", "net.ipv4.conf.eth0/1.rp_filter"};
  EXPECT_EQ(board.read(knob), "2");
  board.set(knob, "1");
  EXPECT_EQ(read_file(file).substr(0, 1), "1");
  EXPECT_FALSE(board.read({KnobKind::sysctl, "", "vm.nothing"}));
  for (const char* name : {"swappiness", "vm..x", "vm.", "vm.//.x", ""})
    EXPECT_NE(complaint([&] { sysctl_path(name); }).find("is no kernel parameter"),
              std::string::npos)
        << name;
}

TEST(HostBoard, KnowsWhatItCouldNotPutBack) {
  EXPECT_TRUE(sysctl_mistake("vm.dirty_bytes"));
  EXPECT_FALSE(sysctl_mistake("vm.swappiness"));
}

TEST(Gateways, AreThoseOfTheServiceMap) {
  EXPECT_EQ(gateways_of(Json::parse(R"({"epoch": 3, "services": {"rgw": {"daemons": {"summary": "",
              "4155": {"gid": 4155, "metadata": {"id": "a", "hostname": "h"}},
              "4301": {"gid": 4301, "metadata": {"id": "a", "hostname": "h"}},
              "b": {"gid": 4170}}}, "rbd-mirror": {"daemons": {"x": {}}}}})")),
            (std::set<std::string>{"rgw.a", "rgw.b"}));
  EXPECT_TRUE(gateways_of(Json::parse(R"({"epoch": 1, "services": {}})")).empty());
}

Json tree() {
  return Json::parse(R"({"nodes": [
    {"id": -1, "name": "default", "type": "root", "children": [-2, -3]},
    {"id": -2, "name": "h1", "type": "host", "children": [0, 1]},
    {"id": -3, "name": "h2", "type": "host", "children": [2]},
    {"id": 0, "name": "osd.0", "type": "osd"}, {"id": 1, "name": "osd.1", "type": "osd"},
    {"id": 2, "name": "osd.2", "type": "osd"}], "stray": []})");
}

TEST(RestartGroups, HostsAreDomainsUnlessCopiesLieOnOneHost) {
  using Groups = std::vector<std::vector<std::string>>;
  const std::set<std::string> all = {"mon.a", "osd.0", "osd.1", "osd.2", "rgw.a"};
  EXPECT_EQ(group_by_failure_domain(all, tree(), false),
            (Groups{{"mon.a"}, {"osd.0", "osd.1"}, {"osd.2"}, {"rgw.a"}}));
  EXPECT_EQ(group_by_failure_domain(all, tree(), true),
            (Groups{{"mon.a"}, {"osd.0"}, {"osd.1"}, {"osd.2"}, {"rgw.a"}}));
  // One that the tree doesn't have.
  EXPECT_EQ(group_by_failure_domain({"osd.9"}, tree(), false), (Groups{{"osd.9"}}));
}

}  // namespace
}  // namespace lab
