#include "runner/ceph/same_value.h"

#include <gtest/gtest.h>

namespace lab::ceph {
namespace {

TEST(SameValue, TakesWhatCephPrintsForWhatWasAsked) {
  EXPECT_TRUE(same_value("writeback", "writeback"));
  EXPECT_TRUE(same_value("1", "true"));
  EXPECT_TRUE(same_value("off", "false"));
  EXPECT_TRUE(same_value("32M", "33554432"));
  EXPECT_TRUE(same_value("4k", "4096"));
  EXPECT_TRUE(same_value("0.5", "0.500000"));
  EXPECT_TRUE(same_value("0", "0/0"));
}

TEST(SameValue, ButNothingElse) {
  EXPECT_FALSE(same_value("0.6", "1.000000")) << "no rounding";
  EXPECT_FALSE(same_value("32M", "32000000"));
  EXPECT_FALSE(same_value("true", "false"));
  EXPECT_FALSE(same_value("0", "0/5"));
  EXPECT_FALSE(same_value("writeback", ""));
}

}  // namespace
}  // namespace lab::ceph
