#include "runner/base/time.h"

#include <gtest/gtest.h>

namespace lab {

TEST(FormatUtc, IsIsoWithMillisecondsAlsoBefore1970) {
  using std::chrono::milliseconds;
  TimePoint epoch{};
  EXPECT_EQ(format_utc(epoch + milliseconds(1796065394250)), "2026-11-30T19:03:14.250Z");
  EXPECT_EQ(format_utc(epoch - milliseconds(1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(format_utc_for_name(epoch + milliseconds(1796065394250)), "2026-11-30T190314");
}

}  // namespace lab
