#include "runner/sampling/turns.h"

#include <gtest/gtest.h>

namespace lab::sampling {
namespace {

using std::chrono::milliseconds;

class TurnsTest : public ::testing::Test {
 protected:
  static Clock::time_point at(int ms) { return Clock::time_point(milliseconds(ms)); }
  Turns turns_{at(500), milliseconds(1000)};
};

TEST_F(TurnsTest, BeginAtOnce) { EXPECT_EQ(turns_.due(), at(500)); }

TEST_F(TurnsTest, ALateOneDelaysNoOther) {
  EXPECT_EQ(turns_.take(at(500)), 0u);
  EXPECT_EQ(turns_.due(), at(1500));
  EXPECT_EQ(turns_.take(at(2499)), 0u);
  EXPECT_EQ(turns_.due(), at(2500));
}

TEST_F(TurnsTest, AWholePeriodLateMisses) {
  EXPECT_EQ(turns_.take(at(1500)), 1u) << "the one at 500";
  EXPECT_EQ(turns_.due(), at(2500));
  EXPECT_EQ(turns_.take(at(9700)), 7u);
  EXPECT_EQ(turns_.due(), at(10500));
}

}  // namespace
}  // namespace lab::sampling
