#include "runner/ceph/background.h"

#include <gtest/gtest.h>

namespace lab::ceph {
namespace {

TEST(Background, OsdFlags) {
  EXPECT_EQ(parse_osd_flags({{"flags", "noscrub,sortbitwise,purged_snapdirs"}}),
            (std::set<std::string>{"noscrub", "purged_snapdirs", "sortbitwise"}));
  EXPECT_TRUE(parse_osd_flags({{"flags", ""}}).empty());
}

TEST(Background, Reweight) {
  const Json dump = Json::parse(R"({"osds": [{"osd": 0, "weight": 1}, {"osd": 4, "weight": 0},
                                             {"osd": 5, "weight": 0.8499908447265625}]})");
  EXPECT_EQ(parse_reweights(dump),
            (std::map<int, std::string>{{0, "1"}, {4, "0"}, {5, "0.8499908447265625"}}));
}

TEST(Background, AutoscaleModes) {
  Json dump = {{"pools", Json::array({{{"pool_name", "rbd"}, {"pg_autoscale_mode", "warn"}},
                                      {{"pool_name", "old"}}})}};
  auto modes = parse_autoscale_modes(dump);
  EXPECT_EQ(modes.at("rbd"), "warn");
  EXPECT_EQ(modes.at("old"), "off");
}

}  // namespace
}  // namespace lab::ceph
