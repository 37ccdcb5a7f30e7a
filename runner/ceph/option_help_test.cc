#include "runner/ceph/option_help.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::ceph {
namespace {

OptionHelp option(const std::string& type, const std::string& min = "",
                  const std::string& max = "") {
  return {.name = "x", .type = type, .min = min, .max = max};
}

std::string mistake(const OptionHelp& help, const std::string& value) {
  return option_mistake(help, value).value_or("");
}

TEST(OptionHelpOf, TheMonitorsAnswer) {
  const OptionHelp found = parse_option_help(Json::parse(R"({
    "can_update_at_runtime": true, "daemon_default": "", "default": "4294967296",
    "flags": ["runtime"], "level": "basic", "max": "", "min": "939524096",
    "name": "osd_memory_target", "see_also": ["x"], "services": [], "type": "size"})"));
  EXPECT_EQ(found.name, "osd_memory_target");
  EXPECT_EQ(found.type, "size");
  EXPECT_EQ(found.default_value, "4294967296");
  EXPECT_EQ(found.min, "939524096");
  EXPECT_EQ(found.max, "");
  EXPECT_TRUE(found.can_update_at_runtime);
  EXPECT_TRUE(found.has_runtime_flag);
  EXPECT_TRUE(found.enum_values.empty());
}

TEST(OptionHelpOf, NumbersEnumsAndDaemonsOwnDefaults) {
  const OptionHelp found = parse_option_help(Json::parse(R"({
    "can_update_at_runtime": false, "daemon_default": true, "default": false, "flags": [],
    "enum_values": ["wpq", "mclock_scheduler"], "min": 1, "max": 0.5, "name": "n",
    "type": "str"})"));
  EXPECT_EQ(found.default_value, "true");
  EXPECT_EQ(found.min, "1");
  EXPECT_EQ(found.max, "0.5");
  EXPECT_FALSE(found.can_update_at_runtime);
  EXPECT_FALSE(found.has_runtime_flag);
  EXPECT_EQ(found.enum_values, (std::vector<std::string>{"wpq", "mclock_scheduler"}));
  EXPECT_THROW(parse_option_help(Json(nullptr)), Error);
}

TEST(OptionMistake, OutOfRangeSaysTheLimit) {
  const OptionHelp target = option("size", "939524096", "2G");
  EXPECT_EQ(mistake(target, "1G"), "");
  EXPECT_EQ(mistake(target, "2Gi"), "");
  EXPECT_EQ(mistake(target, "1000"), "x: 1000 is below the minimum of 939524096");
  EXPECT_EQ(mistake(target, "3G"), "x: 3G is above the maximum of 2G");
  EXPECT_EQ(mistake(option("float", "0", "1"), "1.5"), "x: 1.5 is above the maximum of 1");
}

TEST(OptionMistake, UnitsAsCephHasThem) {
  EXPECT_EQ(mistake(option("uint", "", "4000"), "4K"), "");
  EXPECT_NE(mistake(option("size", "", "4000"), "4K"), "");
  EXPECT_NE(mistake(option("uint"), "4Ki"), "");
  EXPECT_NE(mistake(option("size"), "1.5G"), "");
  EXPECT_NE(mistake(option("uint"), "-1"), "");
  EXPECT_EQ(mistake(option("int"), "-1"), "");
  EXPECT_NE(mistake(option("bool"), "yes"), "");
}

TEST(OptionMistake, EnumsWithTheNearest) {
  OptionHelp queue = option("str");
  EXPECT_EQ(mistake(queue, "anything"), "") << "free text";
  queue.enum_values = {"wpq", "mclock_scheduler"};
  EXPECT_EQ(mistake(queue, "wpq"), "");
  const std::string text = mistake(queue, "mclock_schedular");
  EXPECT_NE(text.find("did you mean \"mclock_scheduler\"?"), std::string::npos) << text;
}

}  // namespace
}  // namespace lab::ceph
