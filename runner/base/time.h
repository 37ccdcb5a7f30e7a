// Points of time as result files write them: UTC, never local time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

using TimePoint = std::chrono::system_clock::time_point;

// "2026-11-30T19:03:14.250Z": ISO 8601 with milliseconds.
std::string format_utc(TimePoint time);

// "2026-11-30T190314": for names of files; sorts by time and needs no quoting.
std::string format_utc_for_name(TimePoint time);

// Of a text as format_utc makes it; none for any other.
std::optional<TimePoint> parse_utc(const std::string& text);

inline std::string utc_now() { return format_utc(std::chrono::system_clock::now()); }

}  // namespace lab
