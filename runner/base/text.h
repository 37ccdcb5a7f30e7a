// Small pure functions on text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// The candidate that the user most likely meant, by edit distance (adjacent
// swaps count once); none if nothing is near.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// Sizes as fio writes them, binary units: "4096", "4k", "10G", "1.5T", "4KiB", "64kb".
std::optional<uint64_t> parse_bytes(std::string_view text);

// "2 GiB", "512 MiB", "4 KiB", "100 B": exact where the number is a multiple, else one decimal.
std::string format_bytes(uint64_t bytes);

// Seconds from "30", "30s", "10m", "2h", "500ms"; none if it is no duration.
std::optional<double> parse_seconds(std::string_view text);

// A share from "5%" or "5": 0.05; none if it is no number above 0 and below 100%.
std::optional<double> parse_percent(std::string_view text);

// The last lines that aren't blank, trimmed, on one line: a program's last words for an error.
std::string last_lines(std::string_view text, size_t lines);

std::string_view trim(std::string_view text);
// The first line, without its newline; `text` is what follows.
std::string_view take_line(std::string_view& text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// "a, b and 7 more": the first `most`, and how many there are beyond.
std::string first_few(const std::vector<std::string>& list, size_t most);

}  // namespace lab
