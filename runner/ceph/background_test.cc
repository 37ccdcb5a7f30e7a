#include "runner/ceph/background.h"

#include <gtest/gtest.h>

namespace lab::ceph {
namespace {

TEST(Background, OsdFlags) {
  EXPECT_EQ(parse_osd_flags({{"flags", "noscrub,sortbitwise,purged_snapdirs"}}),
            (std::set<std::string>{"noscrub", "purged_snapdirs", "sortbitwise"}));
  EXPECT_TRUE(parse_osd_flags({{"flags", ""}}).empty());
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
