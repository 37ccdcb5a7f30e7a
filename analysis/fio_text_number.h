// Numbers as fio's human-readable output prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lab::analysis {

// "11.8k", "1234.5K", "12M", "250": powers of 1000 whatever the case of the letter.
std::optional<double> parse_fio_count(std::string_view text);

// Bytes, or bytes a second (a trailing "/s" is accepted): "46.1MiB", "48.4MB/s",
// "46184KB/s", "94.5Mibit/s". "KB" is 1024 bytes as fio before 2.18 meant it if
// `old_units`, else 1000; "KiB" is always 1024. Bits are turned into bytes.
std::optional<double> parse_fio_bytes(std::string_view text, bool old_units);

// "(usec)", "usec", "nsec", "msec", "sec": nanoseconds in one of it.
std::optional<double> parse_fio_time_unit(std::string_view text);

// What stands between `key` (which includes its '=') and the next of `ends`, without
// spaces around it; none if the key is missing. The key must begin the text or follow a
// space, a comma or a colon.
std::optional<std::string_view> fio_value(std::string_view line, std::string_view key,
                                          std::string_view ends = ",");

// The integers of "0,229376,0,0", "r=0/w=229376/d=0" or "0/229376/0" at the beginning of
// `text`; stops at the first word.
std::vector<uint64_t> parse_fio_list(std::string_view text);

}  // namespace lab::analysis
