#include "runner/ceph/config_entries.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::ceph {
namespace {

TEST(ConfigDump, EachEntryWithItsKey) {
  const std::vector<ConfigEntry> found = parse_config_dump(Json::parse(R"([
    {"can_update_at_runtime": true, "level": "advanced", "mask": "", "name": "osd_scrub_sleep",
     "section": "global", "value": "0.100000"},
    {"can_update_at_runtime": true, "device_class": "ssd", "level": "advanced",
     "mask": "class:ssd", "name": "osd_max_backfills", "section": "osd", "value": "3"},
    {"can_update_at_runtime": false, "level": "advanced", "mask": "", "name": "osd_op_queue",
     "section": "osd.1", "value": "mclock_scheduler"}])"));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], (ConfigEntry{"global", "", "osd_scrub_sleep", "0.100000"}));
  EXPECT_EQ(found[1], (ConfigEntry{"osd", "class:ssd", "osd_max_backfills", "3"}));
  EXPECT_EQ(found[2], (ConfigEntry{"osd.1", "", "osd_op_queue", "mclock_scheduler"}));
  EXPECT_EQ(who(found[0]), "global");
  EXPECT_EQ(who(found[1]), "osd/class:ssd");
  EXPECT_EQ(who(found[2]), "osd.1");
}

TEST(ConfigDump, NoneIsPassedOver) {
  EXPECT_TRUE(parse_config_dump(Json::array()).empty());
  for (const char* text : {"null", "{}", "[3]", R"([{"section": "osd", "name": "x"}])"})
    EXPECT_THROW(parse_config_dump(Json::parse(text)), Error) << text;
}

}  // namespace
}  // namespace lab::ceph
