#include "runner/plan/sweep.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

std::vector<std::string> levels(std::string_view text) {
  std::vector<std::string> names;
  for (const Level& level : parse_sweep(text).levels) names.push_back(level.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Sweep, DoublesGoesInStepsOrTakesAList) {
  EXPECT_EQ(levels("iodepth=1..16"), (Names{"1", "2", "4", "8", "16"}));
  EXPECT_EQ(levels("iodepth=1..10"), (Names{"1", "2", "4", "8", "10"})) << "the end is a level";
  EXPECT_EQ(levels("rate_iops=100..500+200"), (Names{"100", "300", "500"}));
  EXPECT_EQ(levels("bs=4k..32k"), (Names{"4k", "8k", "16k", "32k"}));
  EXPECT_EQ(levels("bs=64k, 4k,1m"), (Names{"64k", "4k", "1m"})) << "the first is the baseline";
  EXPECT_EQ(levels("iodepth=512..2048"), (Names{"512", "1024", "2048"}));
}

TEST(Sweep, IsAFactorOfOneFioOption) {
  const Factor factor = parse_sweep("iodepth=8,16");
  EXPECT_EQ(factor.name, "iodepth");
  EXPECT_EQ(factor.levels[1].label, "iodepth_16");
  ASSERT_EQ(factor.levels[1].settings.size(), 1u);
  const auto& setting = std::get<JobOptions>(factor.levels[1].settings[0]);
  EXPECT_EQ(setting.options.at("iodepth"), "16");
}

TEST(Sweep, SaysWhatIsWrong) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"iodepth", "write OPTION=VALUES"},
           {"=1..4", "write OPTION=VALUES"},
           {"iodepth=16", "too few values"},
           {"iodepth=8..8", "8 is not above 8"},
           {"iodepth=16..1", "1 is not above 16"},
           {"iodepth=1..x", "\"x\" is no number"},
           {"iodepth=0..8", "\"0\" is no number above 0"},
           {"iodepth=1,2,1", "1 stands twice"},
           {"iodepth=1..1000+1", "too many values"},
           {"iodepth=1..9+", "\"\" is no number"}})
    EXPECT_NE(complaint([&text = text] { parse_sweep(text); }).find(expected), std::string::npos)
        << text << ": " << complaint([&text = text] { parse_sweep(text); });
}

}  // namespace
}  // namespace lab
