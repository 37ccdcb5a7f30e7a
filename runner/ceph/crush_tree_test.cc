#include "runner/ceph/crush_tree.h"

#include <gtest/gtest.h>

namespace lab::ceph {
namespace {

TEST(CrushTree, HostsHaveTheirOsdsAndEmptyOnesAreLeftOut) {
  const Json tree = Json::parse(R"({"nodes": [
    {"id": -1, "type": "root", "name": "default", "children": [-2, -3]},
    {"id": -2, "type": "host", "name": "b", "children": [7, 0]},
    {"id": -3, "type": "host", "name": "a", "children": []},
    {"id": -4, "type": "host", "name": "c", "children": [1]},
    {"id": 0, "type": "osd", "name": "osd.0"}]})");
  EXPECT_EQ(osds_by_host(tree), (std::map<std::string, std::set<int>>{{"b", {0, 7}}, {"c", {1}}}));
}

}  // namespace
}  // namespace lab::ceph
