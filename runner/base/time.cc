#include "runner/base/time.h"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>

namespace lab {
namespace {

struct Broken {
  std::tm tm{};
  int milliseconds = 0;
};

Broken break_down(TimePoint time) {
  using std::chrono::floor;
  auto seconds = floor<std::chrono::seconds>(time);
  Broken b;
  b.milliseconds = static_cast<int>(floor<std::chrono::milliseconds>(time - seconds).count());
  std::time_t t = std::chrono::system_clock::to_time_t(seconds);
  gmtime_r(&t, &b.tm);
  return b;
}

}  // namespace

std::string format_utc(TimePoint time) {
  Broken b = break_down(time);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", b.tm.tm_year + 1900,
                     b.tm.tm_mon + 1, b.tm.tm_mday, b.tm.tm_hour, b.tm.tm_min, b.tm.tm_sec,
                     b.milliseconds);
}

std::optional<TimePoint> parse_utc(const std::string& text) {
  std::tm tm{};
  int milliseconds = 0;
  int length = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ%n", &tm.tm_year, &tm.tm_mon,
                  &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &milliseconds, &length) != 7 ||
      static_cast<size_t>(length) != text.size())
    return {};
  tm.tm_year -= 1900;
  tm.tm_mon -= 1;
  return std::chrono::system_clock::from_time_t(timegm(&tm)) +
         std::chrono::milliseconds(milliseconds);
}

std::string format_utc_for_name(TimePoint time) {
  Broken b = break_down(time);
  return fmt::format("{:04}-{:02}-{:02}T{:02}{:02}{:02}", b.tm.tm_year + 1900, b.tm.tm_mon + 1,
                     b.tm.tm_mday, b.tm.tm_hour, b.tm.tm_min, b.tm.tm_sec);
}

}  // namespace lab
