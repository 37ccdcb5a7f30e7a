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

TEST(ParseUtc, TakesWhatFormatUtcMakes) {
  const TimePoint time = TimePoint{} + std::chrono::milliseconds(1796065394250);
  EXPECT_EQ(parse_utc(format_utc(time)), time);
  for (const char* other : {"", "2026-11-30", "2026-11-30T19:03:14Z", "2026-11-30T19:03:14.250",
                            "2026-11-30T19:03:14.250Z "})
    EXPECT_FALSE(parse_utc(other)) << other;
}

}  // namespace lab
